/** Where events may be sent: settings that the api (test pings) and the worker share. */

import type { Environment } from '../../kernel/environment.ts';
import type { Policy } from '../../platform/outbound/policy.ts';
import { oneOf } from './parsers.ts';
import { complain, type Parse, type ReadSetting } from './settings.ts';

/** Contract §6: only the sandbox allows http, and only the sandbox may allow loopback. */
export function readOutbound(read: ReadSetting, environment: Environment | undefined): Policy {
  const isSandbox = environment === 'sandbox';
  const loopback = read('TONEARM_WEBHOOK_LOOPBACK', loopbackIn(isSandbox), 'refuse');
  return { allowHttp: isSandbox, allowLoopback: loopback === 'allow' };
}

const loopbackIn =
  (isSandbox: boolean): Parse<'allow' | 'refuse'> =>
  (text) => {
    const value = oneOf(['allow', 'refuse'])(text);
    return value === 'refuse' || isSandbox ? value : complain('can be allowed in the sandbox only');
  };
