/**
 * How many rows of what others wrote a page or a paper shows. An order may have hundreds of items, which nobody reads, and each
 * costs the time of everybody else: what is shown is bounded, and one row says how many there are besides.
 */
export const rowsMost = 100;

export type CutRows<Row> = { readonly shown: readonly Row[]; readonly left: readonly Row[] };

export const cutRows = <Row>(rows: readonly Row[], most = rowsMost): CutRows<Row> => ({
  shown: rows.slice(0, most),
  left: rows.slice(most),
});
