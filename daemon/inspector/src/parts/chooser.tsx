import { Icon, SafeText } from "@muster/web-parts";
import { useEffect, useRef, useState } from "preact/hooks";

interface Choice {
  id: string;
  words: string;
}

interface Props {
  /** What is chosen: "Model". */
  name: string;
  /** What is chosen now, in words. */
  shown: string;
  current: string | undefined;
  /** Absent while they are being asked for. */
  choices: readonly Choice[] | undefined;
  /** Something that is not on the list may be typed. */
  takesOwn?: boolean;
  onOpen?(): void;
  onChoose(id: string): void;
}

/** So many can be looked through without searching. */
const seenAtOnce = 12;

/** A button that shows what is chosen and opens a list to choose from; arrow keys walk it, Escape closes it. */
export function Chooser({ name, shown, current, choices, takesOwn = false, onOpen, onChoose }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const first = "input, [aria-pressed='true'], .choice";
    place.current?.querySelector<HTMLElement>(`.choices :is(${first})`)?.focus();
  }, [isOpen, choices === undefined]);
  const close = () => {
    setOpen(false);
    setTyped("");
    button.current?.focus();
  };
  const choose = (id: string) => {
    close();
    if (id !== current) onChoose(id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && isOpen) {
      event.stopPropagation();
      close();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || !isOpen) return;
    event.preventDefault();
    const all = [...(place.current?.querySelectorAll<HTMLElement>(".choices input, .choice") ?? [])];
    all.at((all.indexOf(document.activeElement as HTMLElement) + step) % all.length)?.focus();
  };
  const found = choices?.filter(({ id, words }) => `${id} ${words}`.toLowerCase().includes(typed.toLowerCase()));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears the keys of the button and of the list inside it
    <div
      class="chooser"
      ref={place}
      onKeyDown={onKeyDown}
      onFocusOut={({ relatedTarget }) => {
        const isInside = relatedTarget instanceof Node && place.current?.contains(relatedTarget) === true;
        // Nothing gets the focus where the pressed place cannot have it: the list itself, or its bar.
        if (!isInside && relatedTarget !== null) setOpen(false);
      }}
    >
      <button
        type="button"
        class="chooser-button"
        ref={button}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        title={`${name}: ${shown}`}
        onClick={() => {
          if (!isOpen) onOpen?.();
          setOpen(!isOpen);
        }}
      >
        <span class="faint chooser-name">{name}:</span> <span class="ellipsis">{shown}</span>
        <Icon name="open" />
      </button>
      {isOpen && (
        <div class="choices" role="dialog" aria-label={name}>
          {(takesOwn || (choices?.length ?? 0) > seenAtOnce) && (
            <input
              type="search"
              aria-label={takesOwn ? "Find one, or type another" : "Find one"}
              placeholder={takesOwn ? "Find one, or type another" : "Find one"}
              value={typed}
              onInput={(event) => setTyped(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key !== "Enter") return;
                event.preventDefault();
                const id = found?.[0]?.id ?? (takesOwn ? typed.trim() : "");
                if (id !== "") choose(id);
              }}
            />
          )}
          {found === undefined && (
            <p class="faint" role="status">
              Asking the agent …
            </p>
          )}
          {found?.length === 0 && (
            <p class="faint" role="status">
              {typed !== "" && takesOwn ? `Enter takes “${typed}” as it is` : "The agent names none"}
            </p>
          )}
          <ul>
            {found?.map(({ id, words }) => (
              <li key={id}>
                <button type="button" class="choice" aria-pressed={id === current} onClick={() => choose(id)}>
                  <SafeText text={words} />
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
