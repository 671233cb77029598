/**
 * The messages of the sandbox, a file each, so that they are there after a restart. Only the newest are kept: whoever
 * leaves a sandbox running must not find the disk full.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomically } from '@quittance/server/lib/write-file-atomically';

export type KeptMail = {
  readonly id: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly at: string;
  /** Of its source. */
  readonly bytes: number;
};

export type MailFolder = {
  /** The newest first. */
  list(): readonly KeptMail[];
  keep(mail: Omit<KeptMail, 'id' | 'bytes'>, source: Buffer): Promise<void>;
  /** Null: there is none, or no more. */
  find(id: string): { readonly mail: KeptMail; readonly source: Buffer } | null;
};

export type MailLimits = { readonly messages: number; readonly bytes: number };

/** A file: what the list shows, and the message as it came. */
type Stored = Omit<KeptMail, 'id' | 'bytes'> & { readonly source: string };

export function openMailFolder(path: string, limits: MailLimits): MailFolder {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const fileOf = (id: string): string => join(path, `${id}.json`);
  const ids = readdirSync(path)
    .flatMap((name) => /^(\d{8})\.json$/.exec(name)?.[1] ?? [])
    .sort();
  const kept = ids.map((id) => described(id, readStored(fileOf(id)))).filter((mail) => mail !== null);
  let lastNumber = Number(ids.at(-1) ?? 0);

  function forgetOldest(): void {
    const isTooMuch = (): boolean =>
      kept.length > limits.messages || kept.reduce((sum, { bytes }) => sum + bytes, 0) > limits.bytes;
    while (kept.length > 1 && isTooMuch()) {
      const oldest = kept.shift();
      if (oldest) rmSync(fileOf(oldest.id), { force: true });
    }
  }

  forgetOldest();
  return {
    list: () => kept.toReversed(),
    async keep({ from, to, subject, at }, source) {
      lastNumber += 1;
      const id = String(lastNumber).padStart(8, '0');
      const stored: Stored = { from, to, subject, at, source: source.toString('base64') };
      await writeFileAtomically(fileOf(id), JSON.stringify(stored));
      kept.push({ id, from, to, subject, at, bytes: source.length });
      kept.sort((a, b) => (a.id < b.id ? -1 : 1)); // Two may have been written in the other order.
      forgetOldest();
    },
    find(id) {
      const mail = kept.find((each) => each.id === id);
      const stored = mail && readStored(fileOf(id));
      return mail && stored ? { mail, source: Buffer.from(stored.source, 'base64') } : null;
    },
  };
}

const described = (id: string, stored: Stored | null): KeptMail | null =>
  stored && {
    id,
    from: stored.from,
    to: stored.to,
    subject: stored.subject,
    at: stored.at,
    bytes: Buffer.byteLength(stored.source, 'base64'),
  };

/** Null where somebody removed or changed the file. */
function readStored(path: string): Stored | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Stored;
  } catch {
    return null;
  }
}
