/** Files in the folder that were not accepted, for people. Decides nothing. */
import type { Query, Tx } from '../db/database.ts';

export type FolderFile = {
  readonly network: string;
  readonly name: string;
  /** WAITS: too early. STUCK: it cannot be read, or not be moved away. */
  readonly state: 'WAITS' | 'REFUSED' | 'STUCK';
  readonly why: string;
  readonly since: Date;
};

type Place = Pick<FolderFile, 'network' | 'name'>;

export async function noteFolderFile(query: Query, { network, name, state, why, since }: FolderFile): Promise<void> {
  await query`
    insert into bank_folder_file (network, name, state, why, since, seen_at)
    values (${network}, ${name}, ${state}, ${why}, ${since}, ${since})
        on conflict (network, name) do update
       set state = excluded.state, why = excluded.why, seen_at = excluded.seen_at,
           since = case when bank_folder_file.state = excluded.state and excluded.state <> 'REFUSED'
                        then bank_folder_file.since else excluded.since end`;
}

/** It is accepted, or gone. */
export async function forgetFolderFile(query: Query, { network, name }: Place): Promise<void> {
  await query`delete from bank_folder_file where network = ${network} and name = ${name}`;
}

/** Somebody has read why it is refused. False: it is not there. */
export async function putAsideRefused(tx: Tx, { network, name }: Place): Promise<boolean> {
  const rows = await tx`
    delete from bank_folder_file where network = ${network} and name = ${name} and state = 'REFUSED' returning name`;
  return rows.length === 1;
}

/** Refused ones until somebody puts them aside; others while somebody sees them there. Oldest first. */
export function listFolderFiles(query: Query, seenSince: Date, limit: number): Promise<FolderFile[]> {
  return query<FolderFile>`
    select network, name, state, why, since from bank_folder_file
     where state = 'REFUSED' or seen_at >= ${seenSince} order by since, network, name limit ${limit}`;
}

export async function forgetUnseen(query: Query, before: Date): Promise<void> {
  await query`delete from bank_folder_file where seen_at < ${before}`;
}
