import { z } from "zod";

/** What an agent says of itself beside the known fields. */
export const Metadata = z.record(z.string(), z.unknown());
