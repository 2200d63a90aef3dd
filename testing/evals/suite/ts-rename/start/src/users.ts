const users = new Map([[1, { id: 1, name: "Ada" }]]);

export function getUser(id: number) {
  return users.get(id);
}

export function getUserName(id: number): string {
  return getUser(id)?.name ?? "nobody";
}

export function forgetUser(id: number): void {
  users.delete(id);
}
