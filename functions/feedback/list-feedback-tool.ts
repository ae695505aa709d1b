import { listingOperation } from "./list-feedback.ts";
import { listFeedbackRoute } from "./rows.ts";
import { listFeedbackToolQuery } from "./schemas.ts";

/** The tool `list_feedback`: `GET /api/feedback`, which waits less long. Some clients give up a call that takes longer. */
export const listFeedbackTool = listingOperation({ ...listFeedbackRoute, query: listFeedbackToolQuery });
