/**
 * Reads the settings of one role and checks them together: a misconfigured process prints every setting that is wrong
 * and does not start. A message never contains the value of a setting, because that may be a secret.
 */

/** The variables of the environment by name. */
export type Env = Readonly<Record<string, string | undefined>>;

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Returns the parsed value, or throws a `ConfigError` that says what is wrong, without the value. */
export type Parse<T> = (text: string) => T;

export const complain = (issue: string): never => {
  throw new ConfigError(issue);
};

export type ReadSetting = <T>(name: string, parse: Parse<T>, fallback?: string) => T | undefined;

type SettingsReader = {
  /** Undefined when the setting is missing or wrong; `finish` then throws. */
  readonly read: ReadSetting;
  /** Throws a `ConfigError` that lists every missing or wrong setting. */
  readonly finish: <T>(config: { [Name in keyof T]: T[Name] | undefined }) => T;
};

export function openSettings(env: Env): SettingsReader {
  const complaints: string[] = [];
  return {
    read: (name, parse, fallback) => {
      const text = env[name] ?? fallback;
      try {
        return text === undefined ? complain('is not set') : parse(text);
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        complaints.push(`  ${name} ${error.message}`);
        return undefined;
      }
    },
    finish: <T>(config: { [Name in keyof T]: T[Name] | undefined }) => {
      if (complaints.length > 0) {
        throw new ConfigError(`The environment is not complete:\n${complaints.join('\n')}`);
      }
      // Without complaints, each value has been read.
      return config as T;
    },
  };
}
