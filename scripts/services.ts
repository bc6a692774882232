/** Starts, stops and reports the local servers: `npm run services -- start|stop|status|reset`. */

import { type Fleet, fleetOf, startFleet, stopFleet, wipeFleet } from './servers/fleet.ts';

async function report({ servers, missing }: Fleet): Promise<void> {
  for (const server of servers) {
    console.log(
      `${(await server.isRunning()) ? 'running' : 'stopped'}  ${server.name}  ${server.address}`,
    );
  }
  for (const name of missing) console.log(`missing  ${name}`);
}

const actions: Readonly<Record<string, (fleet: Fleet) => Promise<void>>> = {
  start: startFleet,
  stop: stopFleet,
  reset: wipeFleet,
  status: async () => undefined,
};

const [name = 'status'] = process.argv.slice(2);
const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
if (action === undefined) {
  console.error('Usage: npm run services -- start|stop|status|reset');
  process.exitCode = 2;
} else {
  const fleet = fleetOf('dev');
  await action(fleet);
  await report(fleet);
}
