/** A list or report as a file of its own, which is made in steps and fetched later by who asked for it. */
import type { Asker } from '../http/actor.ts';
import { startOfDay } from '../lib/local-day.ts';
import type { Covered } from './covered-days.ts';
import type { ExportState } from './export-state.ts';

/** What holds for all of its steps, whatever changes meanwhile. */
export type ExportFrame = {
  /** What came later is not in it. */
  readonly asOf: Date;
  readonly language: string;
  readonly timeZone: string;
  /** Whether it names customers. */
  readonly hasCustomers: boolean;
  /** Of a report: the days that it is about. Null: it is no report. */
  readonly covered: KeptCovered | null;
  /**
   * What stands before the rows, where that says more than their names: sums of days, which may be made for other settings by
   * the time it is written. Left out: it is written with the first rows.
   */
  readonly head?: string;
};

/** Of what is covered, as much as days and settings say. */
export type KeptCovered = Pick<Covered, 'period' | 'from' | 'to' | 'isWhole' | 'timeZone' | 'currency' | 'settings'>;

export type Export = {
  readonly merchantId: string;
  readonly id: string;
  readonly requestedBy: Asker;
  readonly list: string;
  readonly format: string;
  readonly asked: Readonly<Record<string, string>>;
  readonly frame: ExportFrame;
  readonly fileName: string;
  readonly state: ExportState;
  /** Where the next step begins; null: at the beginning. */
  readonly position: string | null;
  readonly rowsDone: number;
  /** About; null: not counted yet. */
  readonly rowsExpected: number | null;
  readonly pieces: number;
  readonly bytes: number;
  readonly requestedAt: Date;
  /** When it was ready, canceled or failed. */
  readonly endedAt: Date | null;
  readonly keptUntil: Date | null;
};

export const keptCovered = ({ period, from, to, isWhole, timeZone, currency, settings }: Covered): KeptCovered => ({
  period,
  from,
  to,
  isWhole,
  timeZone,
  currency,
  settings,
});

/** The same days again. What is before and after them is for a page to know. */
export const coveredAgain = (kept: KeptCovered): Covered => ({
  ...kept,
  settings: { timeZone: kept.timeZone, currency: kept.currency },
  span: { from: startOfDay(kept.timeZone, kept.from), to: startOfDay(kept.timeZone, kept.to) },
  before: null,
  after: null,
});
