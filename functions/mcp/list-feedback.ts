import { listingOperation } from "../feedback/list-feedback.ts";
import { listFeedbackRoute } from "../feedback/rows.ts";
import { listFeedbackToolQuery } from "../feedback/schemas.ts";

/** The tool `list_feedback`: `GET /api/feedback`, which waits less long. Some clients give up a call that takes longer. */
export const listFeedbackTool = listingOperation({ ...listFeedbackRoute, query: listFeedbackToolQuery });
