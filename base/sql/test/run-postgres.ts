import { inject } from "vitest";
import { type PostgresCluster, startPostgres, usePostgres } from "./postgres-cluster.ts";

/** The PostgreSQL that `npm test` started for this run; one of our own where a file runs without it. */
export async function runPostgres(): Promise<PostgresCluster> {
  const url = inject("postgres");
  return url === undefined ? startPostgres() : usePostgres(url);
}
