import type { Logger } from 'typeorm';

/** One line for an operator who watches a start or a command. `warn` is for a wait. */
export type ProgressReport = (level: 'info' | 'warn', line: string) => void;

/** Migrations reach the report through their query runner: `runner.dataSource.logger.log('info', …)`. */
export class ReportingLogger implements Logger {
  constructor(private readonly report: ProgressReport) {}

  log(level: 'log' | 'info' | 'warn', message: unknown): void {
    this.report(level === 'warn' ? 'warn' : 'info', String(message));
  }

  logQuery(): void {}
  logQueryError(): void {}
  logQuerySlow(): void {}
  logSchemaBuild(): void {}
  logMigration(): void {}
}
