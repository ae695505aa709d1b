import type { ListedBlob } from "../blobs/blob.ts";
import { allowedVisibilityKinds, visibilityDefault } from "../drops/drop-access.ts";
import { formatSize, Size, Time } from "../html/format.tsx";
import { Submit } from "../html/icons.tsx";
import { text } from "../html/text.ts";
import { pagePath } from "../identity/destination.ts";
import { isOpenToAll } from "../policies/access.ts";
import { type ItemsPageProps, ListFrame, PageLinks, renderAccountPage } from "./account-layout.tsx";
import { uploadBytesMax } from "./file-form.ts";
import { Field, Form, ProblemNotice } from "./form.tsx";
import type { ListPage } from "./list-page.ts";

/** Submitted values of the upload form. */
export interface SentUpload {
  readonly name: string;
  readonly visibility: string;
}

interface FilesPageProps extends ItemsPageProps {
  readonly files: ListPage<ListedBlob>;
  readonly urlOf: (file: ListedBlob) => string;
  readonly mayDelete: boolean;
  /** Idempotency key, so that a form that is sent twice uploads the file only once. */
  readonly once: string;
  /** Submitted values of a refused upload form. @default - no form was refused */
  readonly sent?: SentUpload | undefined;
}

const destination = { page: "files" } as const;
const kinds = {
  public: "Anyone, and listed on your public page",
  unlisted: "Anyone with the link",
  members: "Members, after signing in",
};

const changes = { public: "Make it public", unlisted: "Make it unlisted", members: "Restrict to members" };

/** Renders `GET /account/files`: the owner's files, and the upload form. */
export function renderFilesPage(props: FilesPageProps): string {
  const { signedIn, files, problem, sent, done, nonce } = props;
  return renderAccountPage({
    title: "Your files",
    nonce,
    signedIn,
    destination,
    children: (
      <>
        <ListFrame
          heading="Your files"
          item="file"
          empty="No files yet."
          total={files.total}
          done={done}
          problem={sent === undefined ? problem : undefined}
          above={
            <div class="forms">
              <Upload {...props} />
            </div>
          }
        >
          {files.shown.map((file) => (
            <FileRow key={file.id} {...props} file={file} url={props.urlOf(file)} />
          ))}
        </ListFrame>
        <PageLinks path={pagePath(destination)} number={files.number} count={files.count} />
      </>
    ),
  });
}

function Upload({ proofOf, once, problem, sent }: FilesPageProps) {
  const action = pagePath(destination);
  const problemAt = (field: string) => (sent && problem?.field === field ? problem.message : undefined);
  const isAtField = ["file", "filename", "visibility"].includes(problem?.field ?? "");
  const chosen = sent?.visibility ?? visibilityDefault();
  return (
    <section>
      <h2>Upload a file</h2>
      <Form action={action} proof={proofOf(action)} hasFile>
        <input type="hidden" name="once" value={once} />
        {sent && problem && !isAtField && <ProblemNotice problem={problem} />}
        <Field
          label="File"
          id="file"
          note={`Up to ${formatSize(uploadBytesMax)} from a browser. Your agent can upload larger files with POST /api/blobs.`}
          problem={problemAt("file")}
        >
          <input type="file" name="file" required />
        </Field>
        <Field
          label="Name"
          id="name"
          note="Leave the field empty to keep the file’s name."
          problem={problemAt("filename")}
        >
          <input name="name" value={sent?.name ?? ""} autocomplete="off" />
        </Field>
        <Field label={text.sharing.readers} id="visibility" problem={problemAt("visibility")}>
          <select name="visibility">
            {allowedKinds().map((kind) => (
              <option key={kind} value={kind} selected={chosen === kind}>
                {kinds[kind]}
              </option>
            ))}
          </select>
        </Field>
        <Submit>Upload</Submit>
      </Form>
    </section>
  );
}

function FileRow({
  file,
  url,
  proofOf,
  mayDelete,
}: { readonly file: ListedBlob; readonly url: string } & Pick<FilesPageProps, "mayDelete" | "proofOf">) {
  const { id, namespace, filename, sizeBytes, createdAtMs, expiresAtMs } = file;
  const { kind } = file.visibility;
  const path = `${pagePath(destination)}/${id}`;
  // Uses the base host, because only this host can check a reader's session for a restricted file.
  const href = isOpenToAll(file) ? url : `/files/${namespace}/${id}`;
  return (
    <li class={kind === "public" ? undefined : "guarded"}>
      <div>
        <a href={href} dir="auto">
          {filename}
        </a>
        <p>
          <span>{text.sharing.names[kind]}</span>
          <Size bytes={sizeBytes} />
          <span>
            Uploaded <Time atMs={createdAtMs} />
          </span>
          {expiresAtMs !== undefined && (
            <span>
              Expires <Time atMs={expiresAtMs} />
            </span>
          )}
        </p>
      </div>
      <details>
        <summary>
          Change
          <span class="unseen"> {filename}</span>
        </summary>
        <div class="choices">
          <Form action={path} proof={proofOf(path)}>
            {allowedKinds()
              .filter((other) => other !== kind)
              .map((other) => (
                <button key={other} class="button second" type="submit" name="visibility" value={other}>
                  {changes[other]}
                </button>
              ))}
          </Form>
          {mayDelete && (
            <Form action={`${path}/delete`} proof={proofOf(`${path}/delete`)}>
              <label class="tick">
                <input type="checkbox" name="confirm" value="yes" required />
                Delete it permanently
              </label>
              <Submit second>Delete</Submit>
            </Form>
          )}
        </div>
      </details>
    </li>
  );
}

/** Returns the visibilities that a form can set. To restrict a file to named people, owners must use the API. */
function allowedKinds() {
  const allowed = allowedVisibilityKinds();
  return (["public", "unlisted", "members"] as const).filter((kind) => allowed.includes(kind));
}
