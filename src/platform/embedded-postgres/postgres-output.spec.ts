import { lastWords } from './postgres-output.js';

describe('the last words of PostgreSQL', () => {
  it('are its errors and hints in one line, without time stamps', () => {
    const output = `2026-01-02 03:04:05.678 UTC [99] LOG:  starting PostgreSQL
2026-01-02 03:04:05.679 UTC [99] FATAL:  data directory "/x" has wrong ownership
2026-01-02 03:04:05.679 UTC [99] HINT:  The server must be started by the user that owns the data directory.
`;
    expect(lastWords(output)).toBe(
      'FATAL:  data directory "/x" has wrong ownership HINT:  The server must be started by the user that owns the data directory.',
    );
  });

  it('are the last line where there is no error, and never nothing', () => {
    expect(lastWords('fixing permissions\nchild process exited with code 1\n')).toBe(
      'child process exited with code 1',
    );
    expect(lastWords('')).toBe('it ended without a word');
  });
});
