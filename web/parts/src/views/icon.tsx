/** 16 × 16, drawn with lines in the colour of the text around them. */
const paths = {
  add: "M8 3v10M3 8h10",
  back: "M10 3 5 8l5 5",
  chat: "M2.5 3.5h11v7h-6l-3 2.5v-2.5h-2z",
  copy: "M5.5 5.5h7v7h-7zM3.5 10.5v-7h7",
  close: "m4 4 8 8M12 4l-8 8",
  done: "m3 8.5 3.2 3.2L13 5",
  open: "m6 4 4 4-4 4",
  edit: "m3 13 .6-2.8 7-7 2.2 2.2-7 7z",
  read: "M4 2.5h5l3 3v8H4zM9 2.5v3h3",
  execute: "m3 5 3 3-3 3M8 11h5",
  search: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.5 10.5 14 14",
  fetch: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM2 8h12M8 2c3 3.5 3 8.500 0 12M8 2c-3 3.5-3 8.500 0 12",
  think: "M5.500 9.500a3.500 3.500 0 1 1 5 0c-.6.7-.9 1-.9 2H6.400c0-1-.3-1.300-.9-2zM6.500 13.500h3",
  agent: "M4 6.500h8v6H4zM8 6.500v-3M6.500 9.500h.01M9.500 9.500h.01",
  other: "M8 8h.01M4 8h.01M12 8h.01",
  person: "M8 8a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM3 13.500c.5-2.500 2.500-3.500 5-3.500s4.500 1 5 3.500",
  stop: "M4.500 4.500h7v7h-7z",
  send: "M8 13V3.500M4 7l4-4 4 4",
  attach: "M12 7.500 7.700 11.800a2.500 2.500 0 0 1-3.500-3.500l5-5a1.700 1.700 0 0 1 2.400 2.400l-4.800 4.800",
  bin: "M3 4.500h10M6 4.500v-2h4v2M4.500 4.500l.5 9h6l.5-9",
  dark: "M13 9.500A5.500 5.500 0 0 1 6.500 3a5.500 5.500 0 1 0 6.500 6.500z",
  light:
    "M8 10.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM8 2v1M8 13v1M2 8h1M13 8h1M3.800 3.800l.7.7M11.500 11.500l.7.7M12.200 3.800l-.7.7M4.500 11.500l-.7.7",
  settings: "M3 5h7M12 5h1M3 11h1M6 11h7M10 3.500v3M6 9.500v3",
  daemon: "M2.500 3.500h11v4h-11zM2.500 9.500h11v3h-11zM5 5.500h.01M5 11h.01",
  down: "M8 3v9M4 8.500l4 4 4-4",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
