/** How large a file of a bank may be in every respect. What is beyond is refused whole: no bank sends it. */
export type BankFileLimits = {
  readonly bytesMax: number; // as sent, and all members of a ZIP unpacked
  readonly membersMax: number; // files in a ZIP
  readonly statementsMax: number;
  readonly entriesMax: number; // in the whole file; details that are told apart count as well
  readonly detailsPerEntryMax: number; // they are handed on together, so they must fit into memory together
  readonly textMax: number; // characters of one text, name, comment or attribute
  readonly depthMax: number; // elements in each other
  readonly weightMax: number; // characters and elements that are in memory together: of an entry with its details, of a statement without entries
  readonly elementsPerRecordMax: number; // in one entry without its details, one detail, one balance
};

export const bankFileLimits: BankFileLimits = {
  bytesMax: 512 * 1024 * 1024,
  membersMax: 1_000,
  statementsMax: 20_000,
  entriesMax: 1_000_000,
  detailsPerEntryMax: 100_000,
  textMax: 20_000,
  depthMax: 50,
  weightMax: 100_000_000,
  elementsPerRecordMax: 5_000,
};
