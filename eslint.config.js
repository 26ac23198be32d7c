import js from '@eslint/js';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import { importX } from 'eslint-plugin-import-x';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

/** The rooms of src, each above those that it may import from. Rooms on one level do not import each other. */
const LEVELS = [
  ['common'],
  ['platform'],
  ['lock', 'event-delivery'],
  ['balance'],
  ['promotion'],
  ['inventory', 'payment', 'credit', 'saga'],
  ['orders', 'sales'],
  ['audit'],
  ['checkout'],
  ['operations', 'rehearsal', 'pages'],
];
const rooms = LEVELS.flat();
const zones = LEVELS.slice(0, -1).flatMap((level, index) =>
  level.map((room) => ({
    target: `./src/${room}`,
    from: rooms
      .filter((other) => other !== room && !LEVELS.slice(0, index).flat().includes(other))
      .map((other) => `./src/${other}`),
    message: `${room} may import ${LEVELS.slice(0, index).flat().join(', ') || 'nothing of ours'}`,
  })),
);
// The pages share what is in web/common, and know nothing of each other or of the service.
for (const [page, other] of [
  ['shop', 'console'],
  ['console', 'shop'],
])
  zones.push({ target: `./web/${page}`, from: [`./web/${other}`, './src'], message: 'pages share web/common alone' });
zones.push({ target: './web/common', from: ['./web/shop', './web/console', './src'], message: 'common knows no page' });
// Inside the saga engine's room, the engine does not know its operators.
zones.push({ target: './src/saga/engine', from: ['./src/saga/operator'], message: 'operators use the engine' });

/** What plain JavaScript here uses of Node's global names; TypeScript knows them by itself. */
const NODE_GLOBALS = Object.fromEntries(
  ['process', 'console', 'performance', 'fetch', 'setTimeout', 'Buffer', 'URL', 'URLSearchParams'].map((name) => [
    name,
    'readonly',
  ]),
);

export default tseslint.config(
  {
    ignores: ['**/dist', 'coverage', '**/node_modules', '.data', 'bench/results', 'packages/client/src/generated'],
  },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    plugins: { 'import-x': importX },
    settings: {
      'import-x/resolver-next': [
        createTypeScriptImportResolver({
          project: ['./tsconfig.json', './packages/*/tsconfig.json', './web/tsconfig.json'],
          noWarnOnMultipleProjects: true,
        }),
      ],
    },
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
    ignores: ['src/platform/config/**', 'src/cli/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'the environment is parsed once, in platform/config' },
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
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/no-unnecessary-type-assertion': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { varsIgnorePattern: '^_' }],
      'max-lines': 'off',
    },
  },
  { files: ['web/**/*.{ts,tsx}'], ...reactHooks.configs.flat.recommended },
  {
    // An event handler may be asynchronous: what it rejects with is shown by the page's error boundary or by the handler.
    files: ['web/**/*.tsx'],
    rules: {
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
    },
  },
  { files: ['**/*.js', '**/*.mjs', '**/*.cjs'], ...tseslint.configs.disableTypeChecked },
  {
    files: ['*.config.js', 'web/*/vite.config.ts', '**/*.mjs', '**/*.cjs'],
    rules: { 'import-x/no-default-export': 'off' },
    languageOptions: { globals: { ...NODE_GLOBALS, exports: 'writable' } },
  },
  { files: ['test/consumer/*.js', 'docs/guide/**/*.mjs'], languageOptions: { globals: NODE_GLOBALS } },
);
