/**
 * Everything that would keep a process from starting, found before anything is started and told together: what is wrong
 * with the settings, and with what they name on this machine and elsewhere.
 */
import { type Config, ConfigError, type Environment, examineConfig } from './config.ts';
import { databaseProblem } from './db/database-problem.ts';
import { folderProblem } from './lib/folder-problem.ts';
import { portProblem } from './lib/port-problem.ts';

export type Surroundings = {
  /** False: the database does not exist yet, because we start it ourselves. */
  readonly hasDatabase: boolean;
  /** The folder for what we make ourselves. Left out: nothing is made. */
  readonly folder?: string;
};

/** The configuration, if nothing is wrong with it and with what it names. */
export async function checkStart(env: Environment, surroundings: Surroundings): Promise<Config> {
  const { config, problems } = examineConfig(env);
  const found = await Promise.all(surroundingProblems(config, problems, surroundings));
  const all = [...problems, ...found.filter((each) => each !== null)];
  if (all.length > 0) throw new ConfigError(all);
  return config;
}

/** What was already wrong as a setting is not looked at again: nobody asked for the fallback that is used instead. */
function surroundingProblems(
  config: Config,
  problems: readonly string[],
  { hasDatabase, folder }: Surroundings,
): Promise<string | null>[] {
  const isRight = (name: string): boolean => !problems.some((each) => each.startsWith(`${name} `));
  return [
    ...(config.roles.includes('api') && isRight('PORT') ? [portProblem(config.host, config.port)] : []),
    ...(hasDatabase && isRight('DATABASE_URL') ? [databaseProblem(config.databaseUrl)] : []),
    ...(folder === undefined ? [] : [folderProblem(folder, 'DATA_DIR')]),
  ];
}
