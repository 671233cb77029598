/** A deliberate fault, and the test file that must notice it. */
export type Saboteur = {
  /** From server/src. */
  readonly file: string;
  /** What is broken, in words. */
  readonly fault: string;
  /** Exact text that occurs once in the file. */
  readonly find: string;
  /** What stands there instead. */
  readonly replace: string;
  /** The test file that must fail, from the root of the repository. */
  readonly noticedBy: string;
  /** The names of its tests that are run, as a pattern; all when left out. */
  readonly test?: string;
};
