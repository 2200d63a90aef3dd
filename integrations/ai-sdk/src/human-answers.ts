import { harnessV1QuestionsToolOutputSchema } from "@ai-sdk/harness";
import type { Client, QuestionRequested } from "@muster/client";

/** What the framework's caller decides, told to the daemon. The first answer wins, whoever gives it. */
export class HumanAnswers {
  readonly #client: Client;
  readonly #sessionId: string;
  /** Requests that were answered here, whether or not the daemon has heard it yet. */
  readonly given = new Set<string>();

  constructor(client: Client, sessionId: string) {
    this.#client = client;
    this.#sessionId = sessionId;
  }

  async decide(permissionId: string, approved: boolean, message?: string): Promise<void> {
    this.given.add(permissionId);
    const reply = approved ? ("once" as const) : ("reject" as const);
    const words = approved || message === undefined ? {} : { message };
    await first(this.#client.sessions.replyPermission({ sessionId: this.#sessionId, permissionId, reply, ...words }));
  }

  /** Whatever is no answer declines: a question that nobody answers would hold its turn for ever. */
  async answer(questionId: string, output: unknown): Promise<void> {
    const sessionId = this.#sessionId;
    this.given.add(questionId);
    const { questions } = await this.#client.sessions.listRequests({ sessionId });
    const asked = questions.find((one) => one.questionId === questionId);
    if (asked === undefined) return;
    const answers = answersOf(asked, output);
    if (answers !== undefined) {
      await first(this.#client.sessions.replyQuestion({ sessionId, questionId, answers }));
      return;
    }
    const message = reasonOf(output);
    await first(this.#client.sessions.rejectQuestion({ sessionId, questionId, ...(message && { message }) }));
  }
}

function answersOf({ questions }: QuestionRequested, output: unknown): string[][] | undefined {
  if (typeof output === "string" && questions.length === 1) return [[output]];
  const { data } = harnessV1QuestionsToolOutputSchema.safeParse(output);
  if (data?.action !== "answered" && data?.action !== "partially-answered") return undefined;
  return questions.map(({ id }) => {
    const { optionIds = [], freeform } = data.answers[id] ?? {};
    return freeform === undefined || freeform === "" ? optionIds : [...optionIds, freeform];
  });
}

function reasonOf(output: unknown): string | undefined {
  const { reason } = Object(output) as { reason?: unknown };
  return typeof reason === "string" ? reason : undefined;
}

async function first(answer: Promise<unknown>): Promise<void> {
  await answer.catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === "already_resolved")) throw error;
  });
}
