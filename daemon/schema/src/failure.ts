import { type Problem, type ProblemCode, problems } from "./problems/index.ts";

export interface FailureFields {
  /** Only where one code has two statuses: creating a deleted session is 409, reading it 410. */
  status?: number;
  [field: string]: unknown;
}

/** The caller asked for something that cannot be. Thrown in the deepest room, translated once at the edge. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly code: ProblemCode;
  readonly status: number;
  readonly fields: Record<string, unknown>;

  constructor(code: ProblemCode, detail: string, { status, ...fields }: FailureFields = {}) {
    super(detail);
    this.code = code;
    this.status = status ?? problems[code][0];
    this.fields = fields;
  }

  toProblem(): Problem {
    const [, title] = problems[this.code];
    const type = `https://muster.dev/problems/${this.code}`;
    return { type, title, status: this.status, detail: this.message, code: this.code, ...this.fields };
  }
}
