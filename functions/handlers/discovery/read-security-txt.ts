import { ApiError } from "../../contract/api-error.ts";
import { readSecurityTxtRoute } from "../../contract/discovery-routes.ts";
import { environmentNames } from "../../contract/environment.ts";
import { writeSecurityTxt } from "../../discovery/security-txt.ts";
import { document } from "../../http/document-answer.ts";
import { documentOperation } from "../../http/document-operation.ts";
import { findEnvironment } from "../../store/environment.ts";

/** GET /.well-known/security.txt: there once the operator has named a contact. */
export const readSecurityTxt = documentOperation(readSecurityTxtRoute, async ({ site, nowMs }) => {
  const contact = findEnvironment(environmentNames.securityContact);
  if (contact === undefined) {
    throw new ApiError("not_found", { message: "The operator of this service has named no contact." });
  }
  return document("text", writeSecurityTxt(contact, site.baseUrl + readSecurityTxtRoute.path, nowMs));
});
