/** Ids we give out name their live conversation, so the next request leads back to it whatever else it holds. */
export interface ReplyPlace {
  readonly live: number;
  readonly reply: number;
}

export function replyId(prefix: string, place: ReplyPlace, index?: number): string {
  const id = `${prefix}_scripted_${place.live}_${place.reply}`;
  return index === undefined ? id : `${id}_${index}`;
}

export function placeOf(id: string): ReplyPlace | undefined {
  const found = /_scripted_(\d+)_(\d+)/.exec(id);
  return found === null ? undefined : { live: Number(found[1]), reply: Number(found[2]) };
}
