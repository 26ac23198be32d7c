import js from '@eslint/js';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import { importX } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

/** A zone per module: the folders it must never import from (DESIGN: imports point one way). */
const domains = ['./src/inventory', './src/order', './src/payment'];
const zone = (target, from, message) => ({ target, from, message });
const zones = [
  zone('./src/common', ['./src/!(common)/**/*'], 'common is pure: it imports nothing of ours'),
  zone(
    './src/infrastructure',
    ['./src/checkout', './src/saga', './src/lock', './src/webhook', ...domains],
    'infrastructure knows no domain',
  ),
  zone('./src/lock', ['./src/checkout', './src/saga', './src/webhook', ...domains], 'lock knows no domain'),
  zone('./src/webhook', ['./src/checkout', './src/saga', ...domains], 'outgoing webhooks know events, no domain'),
  zone('./src/saga', ['./src/checkout', './src/webhook', ...domains], 'the engine knows no domain'),
  ...domains.map((domain) =>
    zone(
      domain,
      ['./src/checkout', './src/saga', './src/webhook', ...domains.filter((other) => other !== domain)],
      'domains do not import each other',
    ),
  ),
];

export default tseslint.config(
  { ignores: ['dist', 'coverage', 'node_modules', '.data', 'bench/results'] },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    plugins: { 'import-x': importX },
    settings: { 'import-x/resolver-next': [createTypeScriptImportResolver({ project: './tsconfig.json' })] },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'import-x/no-cycle': 'error',
      'import-x/no-default-export': 'error',
      'import-x/no-restricted-paths': ['error', { zones }],
      'no-restricted-imports': ['error', { patterns: [{ group: ['**/index.js'], message: 'no barrels' }] }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/infrastructure/config/**', 'src/main.ts', 'src/cli/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'the environment is parsed once, in infrastructure/config' },
      ],
    },
  },
  {
    files: ['**/*.spec.ts', 'test/**/*.ts', 'bench/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      'max-lines': 'off',
    },
  },
  { files: ['**/*.js', '**/*.mjs', '**/*.cjs'], ...tseslint.configs.disableTypeChecked },
  {
    files: ['*.config.js', '**/*.mjs'],
    rules: { 'import-x/no-default-export': 'off' },
    languageOptions: { globals: { process: 'readonly', console: 'readonly' } },
  },
);
