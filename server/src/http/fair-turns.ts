/**
 * Who may work now. Limits count requests, but all work of a process is done by one thread: forty requests for what is
 * large by one party would keep everybody else waiting, each of them within its limit. So requests weigh what is read and
 * written for them, and a party (a merchant; an address where nobody signed) has no more at work than is still free: one
 * that asks for everything has half, two have a third each, and whoever comes next always finds room. The others wait, in
 * a queue for each party, and parties take turns. What weighed more than was expected of it sits out as many rounds. What
 * waits for somebody else outside is not at work: else a few that wait for a silent server would keep everybody out.
 *
 * Pure: no clock, no input or output. See docs/decisions/0133.
 */

/** What a request weighs at least, in bytes: so that 128 of one party are at work at most. */
const lightest = 8 * 1024;
/** How much is at work at once. A megabyte takes some tens of milliseconds to read and to write. */
const atWorkMax = 2 * 1024 * 1024;
/** Expected of a party of which nothing is known. */
const expectedFirst = 64 * 1024;
/** What a party weighed is forgotten by a tenth with each request. */
const remembered = 0.9;
const waitingMax = 1_000;
const waitingBytesMax = 16 * 1024 * 1024;
const waitingBytesOfAllMax = 128 * 1024 * 1024;
const rememberedParties = 10_000;
/** So many of a party wait outside without being at work: each costs memory and perhaps a connection. */
const restingMax = 512;

export type Turn = {
  /** Where it began when another one ended. */
  readonly hasWaited: boolean;
  /** `bytes`: what was read and written. Once. */
  end(bytes: number): void;
  /** It waits for somebody outside; what is given is called when it goes on. It need not wait for a turn again. */
  rest(): () => void;
};

export type FairTurns = {
  /**
   * `bytes`: what is to be read. `expects`: what is written at most, where the request says so. Null: too many of the
   * party wait already.
   */
  take(party: string, bytes: number, expects?: number): Promise<Turn> | null;
  /** How many wait, of how many parties. */
  waiting(): { readonly requests: number; readonly parties: number };
};

type Waiting = { readonly weight: number; readonly bytes: number; readonly begin: (turn: Turn) => void };

type Party = {
  readonly queue: Waiting[];
  atWork: number;
  resting: number;
  /** What one of its requests weighs, by those before. */
  expected: number;
  /** Below zero: it has taken more than its turns. */
  credit: number;
  waitingBytes: number;
};

export function createFairTurns(): FairTurns {
  const parties = new Map<string, Party>();
  /** Those with a queue, in the order of their turns. */
  const ring: Party[] = [];
  let atWork = 0;
  let waitingBytes = 0;

  function partyOf(name: string): Party {
    const known = parties.get(name);
    if (known) return known;
    if (parties.size >= rememberedParties)
      for (const [oldest, { queue, atWork: busy, resting }] of parties)
        if (queue.length === 0 && busy === 0 && resting === 0 && parties.delete(oldest)) break;
    const fresh: Party = { queue: [], atWork: 0, resting: 0, expected: expectedFirst, credit: 0, waitingBytes: 0 };
    parties.set(name, fresh);
    return fresh;
  }

  const fits = (party: Party, weight: number): boolean => atWork === 0 || party.atWork + weight <= atWorkMax - atWork;
  /** Whoever has nothing at work and waits for room is not overtaken. */
  const isRoomKept = (): boolean => ring.some((party) => party.atWork === 0);

  function begin(party: Party, weight: number, hasWaited: boolean): Turn {
    const weigh = (units: number): void => {
      party.atWork += units;
      atWork += units;
    };
    weigh(weight);
    let hasEnded = false;
    /** One request may wait for several at once. */
    let waits = 0;
    const goOn = (): void => {
      waits -= 1;
      if (waits > 0) return;
      party.resting -= 1;
      if (!hasEnded) weigh(weight);
    };
    return {
      hasWaited,
      rest() {
        if (hasEnded || (waits === 0 && party.resting >= restingMax)) return () => undefined;
        waits += 1;
        if (waits === 1) {
          party.resting += 1;
          weigh(-weight);
          giveTurns();
        }
        let isOver = false;
        return () => {
          if (!isOver) goOn();
          isOver = true;
        };
      },
      end(bytes) {
        if (hasEnded) return;
        hasEnded = true;
        if (waits === 0) weigh(-weight);
        const real = Math.max(lightest, bytes);
        party.expected = Math.max(real, party.expected * remembered, lightest);
        // Alone it owes nobody anything.
        party.credit = ring.length > 0 ? party.credit + Math.min(0, weight - real) : 0;
        giveTurns();
      },
    };
  }

  function giveTurns(): void {
    while (ring.length > 0) {
      if (ring.every(({ credit }) => credit < 0)) {
        const least = Math.max(...ring.map(({ credit }) => credit));
        for (const party of ring) party.credit -= least;
      }
      const position = ring.findIndex(
        (party) => party.credit >= 0 && (fits(party, weightOf(party)) || party.atWork === 0),
      );
      const party = ring[position];
      if (!party || !fits(party, weightOf(party))) return;
      // Those before it wait for what they have at work themselves, or sit out: they get nearer by as much as it takes.
      const passed = ring.splice(0, position + 1).slice(0, -1);
      for (const each of passed) if (each.credit < 0) each.credit = Math.min(0, each.credit + weightOf(party));
      ring.push(...passed);
      const { weight, bytes, begin: start } = party.queue.shift() as Waiting;
      party.waitingBytes -= bytes;
      waitingBytes -= bytes;
      if (party.queue.length > 0) ring.push(party);
      start(begin(party, weight, true));
    }
  }

  const weightOf = ({ queue: [next] }: Party): number => next?.weight ?? 0;

  return {
    take(name, bytes, expects = 0) {
      const party = partyOf(name);
      const weight = Math.min(atWorkMax / 2, Math.max(lightest, bytes, expects, party.expected));
      if (party.queue.length === 0 && fits(party, weight) && !isRoomKept())
        return Promise.resolve(begin(party, weight, false));
      const isTooMuch =
        party.queue.length >= waitingMax ||
        party.waitingBytes + bytes > waitingBytesMax ||
        waitingBytes + bytes > waitingBytesOfAllMax;
      if (isTooMuch) return null;
      party.waitingBytes += bytes;
      waitingBytes += bytes;
      const { promise, resolve } = Promise.withResolvers<Turn>();
      party.queue.push({ weight, bytes, begin: resolve });
      if (party.queue.length === 1) ring.push(party);
      return promise;
    },
    waiting: () => ({
      requests: ring.reduce((sum, { queue }) => sum + queue.length, 0),
      parties: ring.length,
    }),
  };
}
