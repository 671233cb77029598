/** The time zone of a shop: what its papers are dated in. */
import { invalidRequest } from '../lib/errors.ts';

/** An IANA name such as Europe/Berlin, as Intl writes it. Offsets such as +01:00 know no summer time, and are refused. */
export function readTimeZone(text: string): string {
  const zone = text.startsWith('+') || text.startsWith('-') ? null : knownZone(text.trim());
  if (zone === null)
    throw invalidRequest(`${JSON.stringify(text.slice(0, 40))} is no time zone: it must be like Europe/Berlin.`);
  return zone;
}

/** UTC for an account that has chosen none, and for a name that this release does not know any more. */
export function timeZoneOf(pageSettings: Readonly<Record<string, unknown>>): string {
  const given = pageSettings['timeZone'];
  return (typeof given === 'string' ? knownZone(given) : null) ?? 'UTC';
}

function knownZone(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
