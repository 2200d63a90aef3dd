/**
 * What a client and the start of a daemon need at run time: nothing here loads zod, which is too large for a web page, and
 * whose schemas are a third of a start. The types are all of them.
 */

export { covers, scopes } from "./access/scopes.ts";
export { causes } from "./causes.ts";
export { defaultLimits } from "./default-limits.ts";
export { Failure, type FailureFields } from "./failure.ts";
export { messageIdForm, sessionIdForm } from "./id-forms.ts";
export type * from "./index.ts";
export { pathsOf } from "./operation-paths.ts";
export { headerOf } from "./operations/header-of.ts";
export { permissionModes } from "./permission-modes.ts";
export { problems } from "./problems/index.ts";
export { storageFailure } from "./problems/storage-failure.ts";
export { WorkTimes, workMs } from "./times/work-times.ts";
