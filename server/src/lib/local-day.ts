/**
 * Days of a time zone: which one a moment is in, and when one begins. By the time zones of Intl alone, which the papers
 * are dated by too: those of the database may be of another year.
 */
export type Day = string; // 2026-11-17

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formats.set(timeZone, format);
  return format;
}

/** What a clock on the wall shows, as if it were one in UTC. */
function wallClock(timeZone: string, moment: Date): Date {
  // In the order of ISO 8601, as the calendar says. In one text: told in parts, which take four times as long, every booking would pay.
  const shown = formatOf(timeZone).format(moment);
  const [year, month, day, hour, minute, second] = shown.match(/\d+/g) ?? [];
  const milliseconds = String(moment.getUTCMilliseconds()).padStart(3, '0');
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}Z`);
}

export const dayOf = (timeZone: string, moment: Date): Day => wallClock(timeZone, moment).toISOString().slice(0, 10);

/** `2026-11-17T12:30:00+01:00`: what the clock on the wall shows, and how far it is from UTC. */
export function zonedMoment(timeZone: string, moment: Date): string {
  const wall = wallClock(timeZone, moment);
  const minutes = Math.round((wall.getTime() - moment.getTime()) / 60_000);
  const twoDigits = (count: number): string => String(count).padStart(2, '0');
  const away = Math.abs(minutes);
  const offset = `${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(away / 60))}:${twoDigits(away % 60)}`;
  return `${wall.toISOString().slice(0, 19)}${offset}`;
}

export function addDays(day: Day, count: number): Day {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + count);
  return date.toISOString().slice(0, 10);
}

const dayMs = 86_400_000;

const starts = new Map<string, number>();
const startsMost = 10_000;

/**
 * The first moment of a day. Mostly midnight; where clocks are changed at midnight the day may begin at one o'clock, and
 * a day that an island left out begins with the next one. Remembered: all bookings of a statement ask for the same few.
 */
export function startOfDay(timeZone: string, day: Day): Date {
  const name = `${timeZone} ${day}`;
  const known = starts.get(name);
  if (known !== undefined) return new Date(known);
  const start = findStart(timeZone, day);
  if (starts.size >= startsMost) starts.clear();
  starts.set(name, start.getTime());
  return start;
}

function findStart(timeZone: string, day: Day): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const shows = [-dayMs, dayMs]
    .map((away) => new Date(midnight + away))
    .map((around) => new Date(midnight - (wallClock(timeZone, around).getTime() - around.getTime())))
    .filter((start) => dayOf(timeZone, start) === day)
    .toSorted((a, b) => a.getTime() - b.getTime());
  return shows[0] ?? findStart(timeZone, addDays(day, 1));
}

export type DaySpan = { readonly day: Day; readonly from: Date; readonly to: Date };

/** The days from one up to another, without the latter. */
export function daySpans(timeZone: string, from: Day, to: Day): DaySpan[] {
  const spans: DaySpan[] = [];
  for (let day = from; day < to; day = addDays(day, 1)) {
    const begin = spans.at(-1)?.to ?? startOfDay(timeZone, day);
    spans.push({ day, from: begin, to: startOfDay(timeZone, addDays(day, 1)) });
  }
  return spans;
}

export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) &&
  !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) &&
  new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);
