/** docs/reference/left-out.md: what is lost on the way to each agent, from the tables its writers count by. */
export function leftOutPage({ converters, command }) {
  const table = (rows) =>
    `| left out | because |\n|---|---|\n${rows.map(({ what, why }) => `| ${what} | ${why} |`).join("\n")}`;
  const parts = Object.entries(converters).map(
    ([
      agent,
      {
        leftOut: { events, input },
      },
    ]) => {
      const commands = input.length === 0 ? "Of commands nothing is lost." : `Of commands:\n\n${table(input)}`;
      return `## ${agent}\n\nOf events:\n\n${table(events)}\n\n${commands}`;
    },
  );
  return `<!-- made by ${command} -->
# What is left out

Lost on the way from [events and commands](../converting.md) to the lines of an agent. The first column is what \`leftOut\` of a
page and the comment of \`sandbox-daemon convert\` count. Whoever reads lines makes some things anew: ids of items, titles and
kinds of tools, codes of errors the agent has no word for, times; and what a sub-agent says after its call is over stands in the
conversation itself. All else comes back as it was
([conversion-laws.test.ts](../../daemon/adapters/test/conversion/conversion-laws.test.ts)).

${parts.join("\n\n")}
`;
}
