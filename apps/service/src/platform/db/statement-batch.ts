/**
 * Statements of one transaction that are sent together, with one Sync after the last. The driver would send a Sync after
 * each: PostgreSQL then writes an answer of its own for each statement, which costs both sides a system call, and the
 * driver asks for the columns of a prepared statement at every execution. Here the columns are asked for once for each
 * statement and connection; PostgreSQL refuses to execute a prepared statement whose columns have changed.
 *
 *   Parse? Bind Describe? Execute · Parse? Bind Describe? Execute · … · Sync
 *
 * After a statement that fails PostgreSQL skips the others up to the Sync. They reject as PostgreSQL rejects statements
 * of a failed transaction, with 25P02. Outside a transaction block the statements of a batch are one transaction, which
 * ends at the Sync: `readOnce` uses that.
 */

import pg from 'pg';
import driver from 'pg/lib/utils.js';
import type { Statement } from './sql.ts';
import { typeParsers } from './type-parsers.ts';

/** What a statement returned. `command` is the first word of PostgreSQL's answer, such as COMMIT. */
export type Completed<Row = Record<string, unknown>> = {
  readonly rows: Row[];
  readonly command: string;
};

type Step = {
  readonly statement: Statement;
  readonly rows: Record<string, unknown>[];
  readonly resolve: (completed: Completed) => void;
  readonly reject: (error: unknown) => void;
  command: string;
  /** A value that could not be sent, or a row that could not be read. */
  failure?: unknown;
};

/** The columns of the rows that a prepared statement returns; none for one that returns no rows. */
type Columns = {
  readonly names: readonly string[];
  readonly parsers: readonly ((text: string) => unknown)[];
  /** Copied for each row: objects that are made alike are read faster. */
  readonly emptyRow: Record<string, unknown>;
};

/** The driver's connection with what it knows about prepared statements, by name. */
type Connection = {
  readonly parsedStatements: Record<string, string | undefined>;
  readonly submittedNamedStatements: Record<string, string | undefined>;
  parse(message: { readonly name: string; readonly text: string }): void;
  bind(message: {
    readonly statement: string;
    readonly values: readonly unknown[];
    readonly valueMapper: (value: unknown) => unknown;
  }): void;
  describe(message: { readonly type: 'P'; readonly name: string }): void;
  execute(message: { readonly portal: string }): void;
  sync(): void;
};

type Field = { readonly name: string; readonly dataTypeID: number };

const columnsOf = new WeakMap<Connection, Map<string, Columns>>();
const noColumns: Columns = { names: [], parsers: [], emptyRow: {} };
const unnamedPortal = { portal: '' };
const describePortal = { type: 'P', name: '' } as const;

/** SQLSTATE in_failed_sql_transaction. */
const failedTransaction = () =>
  Object.assign(new Error('a statement before this one failed'), { code: '25P02' });

/** A class, because the driver pipelines only its own. It calls the methods whose names begin with `handle`. */
export class StatementBatch extends pg.Query {
  readonly #steps: Step[] = [];
  #knownColumns: Map<string, Columns> = new Map();
  #columns: Columns | undefined;
  /** Names of the statements that this batch prepares. */
  readonly #prepares: string[] = [];
  /** The step that PostgreSQL executes now. */
  #at = 0;
  /** Read by the driver when PostgreSQL has parsed a statement: those of the step that is executed now. */
  name = '';
  text = '';

  add(statement: Statement): Promise<Completed> {
    return new Promise((resolve, reject) => {
      this.#steps.push({ statement, rows: [], resolve, reject, command: '' });
    });
  }

  /** In the order in which they are sent. */
  get statements(): readonly Statement[] {
    return this.#steps.map(({ statement }) => statement);
  }

  override submit = (driverConnection: pg.Connection): void => {
    // The types of the driver do not have what its own queries use.
    const connection = driverConnection as unknown as Connection;
    this.#knownColumns = columnsOf.get(connection) ?? new Map<string, Columns>();
    columnsOf.set(connection, this.#knownColumns);
    for (const step of this.#steps) {
      if (!this.#send(connection, step)) break;
    }
    connection.sync();
    this.#start(0);
  };

  /** False if a value cannot be sent: then the statements after it are not sent either. */
  #send(connection: Connection, step: Step): boolean {
    const { name, text, values } = step.statement;
    const { parsedStatements, submittedNamedStatements } = connection;
    const isPrepared =
      name !== '' && (parsedStatements[name] ?? submittedNamedStatements[name]) !== undefined;
    if (!isPrepared) {
      connection.parse({ name, text });
      if (name !== '') {
        submittedNamedStatements[name] = text;
        this.#prepares.push(name);
      }
    }
    try {
      connection.bind({ statement: name, values, valueMapper: driver.prepareValue });
    } catch (error) {
      step.failure = error;
      return false;
    }
    if (name === '' || !this.#knownColumns.has(name)) connection.describe(describePortal);
    connection.execute(unnamedPortal);
    return true;
  }

  #start(at: number): void {
    this.#at = at;
    const statement = this.#steps[at]?.statement;
    this.name = statement?.name ?? '';
    this.text = statement?.text ?? '';
    this.#columns = this.name === '' ? undefined : this.#knownColumns.get(this.name);
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.#columns = {
      names: fields.map(({ name }) => name),
      parsers: fields.map(({ dataTypeID }) => typeParsers.getTypeParser(dataTypeID, 'text')),
      emptyRow: Object.fromEntries(fields.map(({ name }) => [name, null])),
    };
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const step = this.#steps[this.#at];
    if (step === undefined || step.failure !== undefined) return;
    const { names, parsers, emptyRow } = this.#columns ?? noColumns;
    const row = { ...emptyRow };
    try {
      // By index: `entries()` would make a list for each value.
      for (let i = 0; i < fields.length; i++) {
        const text = fields[i];
        if (typeof text === 'string') row[names[i] ?? ''] = parsers[i]?.(text);
      }
    } catch (error) {
      step.failure = error;
      return;
    }
    step.rows.push(row);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const step = this.#steps[this.#at];
    if (step === undefined) return;
    const end = text.indexOf(' ');
    step.command = end === -1 ? text : text.slice(0, end);
    if (this.name !== '') this.#knownColumns.set(this.name, this.#columns ?? noColumns);
    this.#start(this.#at + 1);
  }

  handleReadyForQuery(): void {
    this.#settle(failedTransaction);
  }

  /** Also when the connection is lost: then every statement that is not complete rejects with the same error. */
  handleError(error: Error, driverConnection: pg.Connection): void {
    const { submittedNamedStatements } = driverConnection as unknown as Connection;
    // Those after the statement that failed were not prepared; the driver itself keeps a list of those that were.
    for (const name of this.#prepares) delete submittedNamedStatements[name];
    const isOfStatement = error instanceof pg.DatabaseError && error.severity === 'ERROR';
    const step = this.#steps[this.#at];
    if (step !== undefined) step.failure = error;
    this.#settle(isOfStatement ? failedTransaction : () => error);
  }

  /** `failureOfRest` is why the others were not executed. It is called for them only: an error takes its stack. */
  #settle(failureOfRest: () => Error): void {
    for (const [i, { resolve, reject, rows, command, failure }] of this.#steps.entries()) {
      if (failure !== undefined) reject(failure);
      else if (i < this.#at) resolve({ rows, command });
      else reject(failureOfRest());
    }
  }
}

/** Statements on one connection. Those that are asked for in one turn of the event loop are sent together. */
export type Pipeline = <Row>(statement: Statement) => Promise<Completed<Row>>;

export function openPipeline(client: pg.ClientBase): Pipeline {
  let gathering: StatementBatch | undefined;
  return <Row>(statement: Statement) => {
    if (gathering === undefined) {
      const batch = new StatementBatch('');
      gathering = batch;
      process.nextTick(() => {
        gathering = undefined;
        client.query(batch);
      });
    }
    // The caller names the columns that its statement returns.
    return gathering.add(statement) as Promise<Completed<Row>>;
  };
}
