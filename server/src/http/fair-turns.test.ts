import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFairTurns, type FairTurns, type Turn } from './fair-turns.ts';

const kib = 1024;
const mib = 1024 * kib;

/** Who has begun, in the order in which they did, and how they end. */
function createDoor(turns: FairTurns = createFairTurns()) {
  const begun: { party: string; turn: Turn }[] = [];
  let refused = 0;
  return {
    turns,
    begun,
    refused: () => refused,
    async ask(party: string, { bytes = 0, expects = 0, times = 1 } = {}): Promise<void> {
      for (let time = 0; time < times; time += 1) {
        const taken = turns.take(party, bytes, expects);
        if (taken === null) refused += 1;
        else void taken.then((turn) => begun.push({ party, turn }));
      }
      await settled();
    },
    async end(position: number, bytes: number): Promise<void> {
      begun[position]?.turn.end(bytes);
      await settled();
    },
    count: (party: string) => begun.filter((each) => each.party === party).length,
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('whoever is alone has half, and whoever comes next begins at once', async () => {
  const door = createDoor();
  await door.ask('flood', { expects: 512 * kib, times: 40 });
  assert.equal(door.count('flood'), 2, 'a megabyte of two');
  await door.ask('neighbour');
  assert.equal(door.count('neighbour'), 1, 'does not wait for any of the forty');
});

test('small requests of one party are many at once, as soon as it is known that they are small', async () => {
  const door = createDoor();
  await door.ask('shop', { times: 16 });
  assert.equal(door.count('shop'), 16);
  for (let each = 0; each < 30; each += 1) {
    await door.end(each, 500);
    await door.ask('shop');
  }
  await door.ask('shop', { times: 300 });
  assert.equal(door.begun.length - 30, 126, 'a few came while more was expected of them, and weigh so much');
});

test('where nothing is free, parties take turns, however many of one wait', async () => {
  const door = createDoor();
  for (let party = 0; party < 40; party += 1) await door.ask(`party${party}`, { bytes: 250 * kib, times: 9 });
  const first = door.begun.length;
  for (let each = 0; each < 120; each += 1) await door.end(each, 250 * kib);
  const counts = Array.from({ length: 40 }, (_, party) => door.count(`party${party}`));
  const waited = counts.slice(4);
  assert.ok(Math.max(...waited) - Math.min(...waited) <= 1, `turns of each: ${counts.join()} after ${first} at once`);
  assert.ok(Math.min(...waited) >= 2);
});

test('a small request that waits has its turn before the second one of anybody else', async () => {
  const door = createDoor();
  for (let party = 0; party < 30; party += 1) await door.ask(`flood${party}`, { bytes: 250 * kib, times: 20 });
  const before = door.begun.length;
  await door.ask('neighbour');
  for (let each = 0; door.count('neighbour') === 0; each += 1) {
    await door.end(each, 250 * kib);
    assert.ok(each < 60, 'it waits for one turn of each other party at most');
  }
  assert.ok(door.begun.length - before <= 31);
});

test('what weighs more than was expected sits out rounds', async () => {
  const door = createDoor();
  for (const party of ['sly', 'plain']) await door.ask(party, { bytes: 200 * kib, times: 60 });
  for (let each = 0; each < 60; each += 1) {
    const { party } = door.begun[each] as { party: string };
    await door.end(each, party === 'sly' ? 3 * mib : 200 * kib);
  }
  assert.ok(door.count('sly') * 3 < door.count('plain'), `${door.count('sly')} and ${door.count('plain')}`);
});

test('so many of a party wait and no more, and nobody else is refused for it', async () => {
  const door = createDoor();
  await door.ask('flood', { times: 16 + 1_000 });
  assert.equal(door.refused(), 0);
  await door.ask('flood');
  assert.equal(door.refused(), 1);
  await door.ask('neighbour');
  assert.equal(door.count('neighbour'), 1);
});

test('so many bytes of a party wait and no more', async () => {
  const door = createDoor();
  await door.ask('flood', { bytes: 256 * kib, times: 4 + 64 });
  assert.equal(door.refused(), 0);
  await door.ask('flood', { bytes: 1 });
  assert.equal(door.refused(), 1);
});

test('a turn ends once', async () => {
  const door = createDoor();
  await door.ask('shop', { bytes: mib, times: 3 });
  await door.end(0, 1);
  await door.end(0, 1);
  assert.equal(door.begun.length, 2, 'and makes room for one');
});

test('what waits outside has no turn meanwhile, and needs none to go on', async () => {
  const door = createDoor();
  for (let party = 0; party < 32; party += 1) await door.ask(`stuck${party}`);
  await door.ask('neighbour');
  assert.equal(door.count('neighbour'), 0, 'there is no room');
  const rested = door.begun.map(({ turn }) => turn.rest());
  await settled();
  assert.equal(door.count('neighbour'), 1);
  await door.ask('shop', { bytes: mib });
  assert.equal(door.count('shop'), 1);

  for (const goOn of rested) goOn();
  rested[0]?.();
  await door.ask('late', { bytes: mib });
  assert.equal(door.count('late'), 0, 'they are at work again, each once');
  for (let each = 0; each < 34; each += 1) await door.end(each, 1);
  assert.equal(door.count('late'), 1);
});

test('whoever waits for two at once is at work when both have come, and not at all after the end', async () => {
  const door = createDoor();
  await door.ask('flood', { bytes: mib });
  const [one, other] = [door.begun[0]?.turn.rest(), door.begun[0]?.turn.rest()];
  await door.ask('shop', { bytes: mib });
  await door.ask('other', { bytes: mib });
  assert.deepEqual([door.count('shop'), door.count('other')], [1, 1]);
  one?.();
  await door.end(1, mib);
  await door.end(2, mib);
  await door.ask('flood', { bytes: mib });
  assert.equal(door.count('flood'), 2, 'the first one still waits');
  await door.end(0, mib);
  other?.();
  door.begun[0]?.turn.rest()();
  await door.end(3, mib);
  await door.ask('shop', { times: 200 });
  await door.ask('other', { bytes: 512 * kib });
  assert.equal(door.count('other'), 2, 'nothing is left of it');
});

test('so many of a party wait outside and no more', async () => {
  const door = createDoor();
  const beginAndRest = async (): Promise<void> => {
    await door.ask('flood');
    door.begun.at(-1)?.turn.rest();
  };
  for (let each = 0; each < 512 + 16; each += 1) await beginAndRest();
  assert.equal(door.count('flood'), 528);
  await beginAndRest();
  assert.equal(door.count('flood'), 528, 'the last ones are at work, and the next one waits for them');
});

test('whatever comes in whatever order: nobody is forgotten, and no more is at work than may be', async () => {
  const step = fc.record({
    party: fc.integer({ min: 0, max: 5 }),
    bytes: fc.oneof(fc.nat(9_000), fc.nat(256 * kib)),
    weighs: fc.oneof(fc.nat(9_000), fc.nat(4 * mib)),
    ends: fc.boolean(),
    rests: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
      const door = createDoor();
      const rested: (() => void)[] = [];
      let ended = 0;
      for (const { party, bytes, weighs, ends, rests } of steps) {
        await door.ask(`party${party}`, { bytes });
        if (rests) rested.push(door.begun.at(-1)?.turn.rest() ?? (() => undefined));
        else rested.shift()?.();
        if (ends && ended < door.begun.length) await door.end(ended++, weighs);
      }
      while (ended < door.begun.length) await door.end(ended++, 1);
      assert.equal(door.begun.length, steps.length);
      assert.deepEqual(door.turns.waiting(), { requests: 0, parties: 0 });
      for (const goOn of rested) goOn();
      for (let party = 0; party < 3; party += 1) await door.ask(`new${party}`, { bytes: 500 * kib });
      assert.equal(door.begun.length, steps.length + 3, 'nothing is left of those that have ended');
    }),
    { numRuns: 40 },
  );
});
