/** A schema of the API: a Standard Schema (https://standardschema.dev) with the methods most people want. */
export interface Schema<T> {
  /** What libraries that take Standard Schemas read. */
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: T; readonly output: T } | undefined;
    validate(value: unknown): SchemaResult<T> | Promise<SchemaResult<T>>;
  };
  /** The value, checked; throws an error that lists what is wrong with it. */
  parse(value: unknown): T;
  /** The value, or what is wrong with it. */
  safeParse(
    value: unknown,
  ): { success: true; data: T; error?: undefined } | { success: false; error: Error; data?: undefined };
}

/** What validating gives: the value, or what is wrong with it. */
export type SchemaResult<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: ReadonlyArray<SchemaIssue> };

/** One thing that is wrong with a value. */
export interface SchemaIssue {
  /** What is wrong, in words. */
  readonly message: string;
  /** Where in the value. */
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
}
