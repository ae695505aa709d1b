/** A person, by the identity provider's permanent id; section "What the service does" of the specification. */
export interface Account {
  readonly userId: string;
  readonly namespace: string;
  /** The user name that the provider gave when the account was made. */
  readonly username: string;
  readonly createdAtMs: number;
  readonly dropCount: number;
  /** Of the pages of all versions, without contexts. */
  readonly pageBytes: number;
  readonly blobCount: number;
  readonly blobBytes: number;
}

/** Who the identity provider says has signed in. The user name can change hands; the id cannot. */
export interface Identity {
  /** The issuer, or the authorization endpoint's origin: ids are unique within it. */
  readonly provider: string;
  readonly id: string;
  readonly username: string;
}
