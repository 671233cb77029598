/**
 * When API keys were last used. Noted in memory and written at most once a minute, so that no request waits for it; a
 * process that dies forgets a minute.
 */
import type { Db } from '../db/database.ts';
import { saveKeyUses } from '../merchants/key-use-store.ts';

export type UsedKeys = {
  note(merchantId: string, key: string, at: Date): void;
  /** What was noted since the last time. What cannot be written is kept for the next time. */
  write(db: Db): Promise<void>;
};

export function createUsedKeys(): UsedKeys {
  let noted = new Map<string, { merchantId: string; key: string; at: Date }>();
  return {
    note: (merchantId, key, at) => void noted.set(key, { merchantId, key, at }),
    async write(db) {
      const uses = noted;
      noted = new Map();
      try {
        await saveKeyUses(db, [...uses.values()]);
      } catch (error) {
        noted = new Map([...uses, ...noted]);
        throw error;
      }
    },
  };
}
