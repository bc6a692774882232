/** The documents whose tables follow from the results of `bench unit`. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../servers/server.ts';
import { withPart } from './markdown.ts';
import { largest } from './model.ts';
import {
  coreTable,
  diskTable,
  loadTable,
  machineTable,
  smallTable,
  summaryList,
} from './scale-tables.ts';
import {
  idleTable,
  measuredOf,
  processorTable,
  provenanceList,
  rowsTable,
  workTable,
} from './unit-cost-tables.ts';
import { readUnitCosts } from './unit-costs.ts';

type Document = { readonly path: string; readonly markdown: string; readonly written: string };

export function writtenDocuments(): readonly Document[] {
  const now = readUnitCosts('bench-unit.json');
  const measured = measuredOf(readUnitCosts('bench-unit-before.json'), now);
  return [
    documentOf('unit-costs.md', {
      provenance: provenanceList(measured),
      'processor time': processorTable(measured),
      work: workTable(measured),
      rows: rowsTable(now),
      idle: idleTable(measured),
    }),
    documentOf('scale.md', {
      loads: loadTable(now),
      cores: coreTable(now, largest),
      summary: summaryList(now),
      machines: machineTable(now),
      disks: diskTable(now),
      'small label': smallTable(now),
    }),
  ];
}

function documentOf(name: string, parts: Readonly<Record<string, string>>): Document {
  const path = join(root, 'docs', name);
  const markdown = readFileSync(path, 'utf8');
  const written = Object.entries(parts).reduce(
    (text, [part, content]) => withPart(text, part, content),
    markdown,
  );
  return { path, markdown, written };
}
