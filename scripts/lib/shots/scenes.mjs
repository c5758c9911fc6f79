// What is photographed: for each image the window, what the model says, and the keys.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const TASK = 'Twelve notebooks should be 10 % off, the test says 5 %. Find out why and repair it';

const FOUND = `The tiers are sorted **from small to large**, and \`find\` takes the *first* that fits. For twelve pieces that is the tier of five:

\`\`\`js
export function quantityPercent(quantity) {
  const tier = TIERS.find(({ from }) => quantity >= from); // 5 fits first
  return tier ? tier.percent : 0;
}
\`\`\`

| quantity | is | should be |
|---|---:|---:|
| 5 | 5 % | 5 % |
| 12 | 5 % | **10 %** |
| 30 | 5 % | **15 %** |

Two ways to mend it:

1. take the *last* tier that fits, with \`findLast\`
2. sort \`TIERS\` the other way round

> The first is the smaller change: nobody else reads the list.
`;

const PATCH = [
  'patch',
  {
    file: 'src/discounts.js',
    search: 'TIERS.find(({ from }) => quantity >= from)',
    replace: 'TIERS.findLast(({ from }) => quantity >= from)',
  },
];

const TWO_HUNKS = [
  'multipatch',
  {
    edits: [
      { file: 'src/cart.js', search: 'const SHIPPING = 490;', replace: 'const SHIPPING = 390;' },
      {
        file: 'src/cart.js',
        search: '  const shipping = goods - coupon >= FREE_SHIPPING_FROM || goods === 0 ? 0 : SHIPPING;\n',
        replace:
          '  const payable = goods - coupon;\n  const shipping = payable >= FREE_SHIPPING_FROM || goods === 0 ? 0 : SHIPPING;\n',
      },
    ],
  },
];

/** Prints like a test runner, then waits until it is released. */
const SLOW = `import { existsSync } from 'node:fs';
const names = ['equal products are put together', 'five pieces get 5 % off', 'twelve pieces get 10 % off', 'a coupon counts after the discount', 'shipping is free from 50.00', 'an unknown coupon is an error'];
names.forEach((name, at) => console.log(\`ok \${at + 1} - \${name}\`));
while (!existsSync('.go')) await new Promise((next) => setTimeout(next, 50));
`;

const release = (project) => writeFileSync(join(project, '.go'), '');
const DONE = 'The discount now takes the highest tier that fits. **All 11 tests pass.**';

const PLAN = ['Read the README and the tests', 'Ask the specialists', 'Repair what they find', 'Run all tests again'];
const plan = (...statuses) => [
  'todo',
  {
    cmd: 'write',
    todos: PLAN.map((description, at) => ({ description, status: statuses[at] ?? 'pending' })),
  },
];

/** A repair from the first question to the summary; several scenes show it. */
const repair = {
  main: [
    {
      reasoning: 'The percentage comes from quantityPercent. Look where it is used.',
      text: 'I look for the place that decides the percentage.',
      calls: [['search', { term: 'quantityPercent' }]],
    },
    { calls: [PATCH] },
    { calls: [['test', {}]] },
    { text: DONE },
  ],
};

const answer = { main: [{ reasoning: 'The tiers are sorted.', text: FOUND }] };
const ask = async ({ say, see, quiet }) => {
  await see('default');
  await quiet();
  await say('Why do twelve notebooks get only 5 % off?');
  await see('nobody else reads the list');
  await see('Done');
};

const EDITS = ['--permission-mode', 'accept-edits', '--allow', '@coder test', '--allow', '@coder exec'];

const repaired = async ({ say, see, quiet }) => {
  await see('accept-edits');
  await quiet();
  await say(`/coder ${TASK}`);
  await see('All 11 tests pass');
  await see('Done');
};

const workers = {
  main: [
    {
      text: 'Three questions that do not depend on each other: I give each to a specialist.',
      calls: [plan('completed', 'in_progress')],
    },
    {
      calls: [
        ['agent', { agent: 'search', task: 'Find every place that rounds money' }],
        ['agent', { agent: 'reviewer', task: 'Review the discounts for edge cases' }],
        ['agent', { agent: 'tester', task: 'Run the tests of the cart' }],
      ],
    },
    { text: 'Done.' },
  ],
  'Find every place': [
    { calls: [['search', { term: 'Math.round' }]] },
    { calls: [['read', { file: 'src/money.js' }]] },
    { text: 'Looking at it', hold: true },
  ],
  'Review the discounts': [{ calls: [['read', { file: 'src/discounts.js' }]] }, { text: 'Looking at it', hold: true }],
  'Run the tests': [{ calls: [['exec', { cmd: 'node slow.mjs' }]] }, { text: 'Done', hold: true }],
};

export const SCENES = [
  {
    name: 'start',
    title: 'ChatCLI at its start: header, input line, status line',
    rows: 12,
    play: async ({ see, quiet }) => {
      await see('sandbox');
      await quiet();
    },
  },
  { name: 'answer', title: 'An answer: text, highlighted code, a table', rows: 46, model: answer, play: ask },
  { name: 'repair', title: 'A bug found, repaired and tested', rows: 60, model: repair, args: EDITS, play: repaired },
  {
    name: 'approval',
    title: 'The question before an edit, with the change and keys for single parts of it',
    rows: 44,
    model: { main: [{ text: 'Cheaper shipping, and the sum gets a name.', calls: [TWO_HUNKS] }] },
    play: async ({ say, see, quiet }) => {
      await see('sandbox');
      await quiet();
      await say('/coder Shipping costs 3.90 now, and give goods - coupon a name');
      await see('SHIPPING = 390');
    },
  },
  {
    name: 'search-command',
    title: 'Matches of a search, and a command with the end of its output while it runs',
    rows: 40,
    files: { 'slow.mjs': SLOW },
    args: EDITS,
    model: {
      main: [
        { text: 'First all places where the percentage is used.', calls: [['search', { term: 'quantityPercent' }]] },
        { text: 'Now the tests.', calls: [['exec', { cmd: 'node slow.mjs' }]] },
        { text: DONE },
      ],
    },
    play: async ({ say, see, project }) => {
      await see('accept-edits');
      await say(`/coder ${TASK}`);
      await see('an unknown coupon');
      return () => release(project);
    },
  },
  {
    name: 'agents',
    title: 'Three agents at work, and the plan',
    rows: 40,
    files: { 'slow.mjs': SLOW },
    args: EDITS,
    model: workers,
    play: async ({ say, see, quiet }) => {
      await see('accept-edits');
      await quiet();
      await say('/coder Check the shop before the sale: rounding, discounts, tests');
      await see('slow.mjs');
      await see('2 calls');
    },
  },
  {
    name: 'complete-command',
    title: 'Commands offered behind /, with what each does',
    rows: 18,
    play: async ({ see, quiet, keys }) => {
      await see('sandbox');
      await quiet();
      await keys('/co');
    },
  },
  {
    name: 'complete-file',
    title: 'Files offered behind @',
    rows: 18,
    play: async ({ see, quiet, keys }) => {
      await see('sandbox');
      await quiet();
      await keys('Why does @ca');
    },
  },
  {
    name: 'cost',
    title: 'What fills the window, and what it cost',
    rows: 44,
    model: repair,
    args: EDITS,
    play: async (stage) => {
      await repaired(stage);
      await stage.say('/context');
      await stage.quiet();
      await stage.say('/cost');
    },
  },
  {
    name: 'first-run',
    title: 'The first start without a model',
    rows: 34,
    isBare: true,
    play: ({ see }) => see('Esc'),
  },
  {
    name: 'light',
    title: 'The same repair on a light background',
    rows: 60,
    ground: 'light',
    model: repair,
    args: EDITS,
    play: repaired,
  },
  { name: 'answer-light', title: 'The same answer on a light background', rows: 46, ground: 'light', model: answer, play: ask },
  {
    name: 'high-contrast',
    title: 'High contrast',
    rows: 60,
    env: { CHATCLI_THEME: 'high-contrast' },
    model: repair,
    args: EDITS,
    play: repaired,
  },
  {
    name: 'no-colour',
    title: 'Without colours (NO_COLOR)',
    rows: 60,
    env: { NO_COLOR: '1' },
    model: repair,
    args: EDITS,
    play: repaired,
  },
  {
    name: 'sixteen',
    title: 'Where the background is not known: the terminal’s own sixteen colours',
    rows: 60,
    answers: false,
    model: repair,
    args: EDITS,
    play: repaired,
  },
  { name: 'narrow', title: 'Forty columns', columns: 40, rows: 70, model: repair, args: EDITS, play: repaired },
  {
    name: 'wide-letters',
    title: 'Chinese, Japanese and emoji keep their columns',
    rows: 34,
    model: {
      main: [
        {
          text: '十二本笔记本应打**九折**，现在只有 5 % 👀\n\n| 数量 | 折扣 | 状态 |\n|---|---:|:---:|\n| 五本 | 5 % | ✅ |\n| 十二本 | 5 % → 10 % | 👩‍💻 |\n| 三十本 | 15 % | 🇧🇷 |\n\n- `find` は最初に合う段階を取る\n- `findLast` は最後に合う段階を取る 🎉\n',
        },
      ],
    },
    play: async ({ say, see, quiet }) => {
      await see('sandbox');
      await quiet();
      await say('为什么十二本笔记本只有 5 % 的折扣？ 🤔');
      await see('最後に');
      await see('Done');
    },
  },
  {
    name: 'portuguese',
    title: 'Em português',
    rows: 60,
    env: { LANG: 'pt_BR.UTF-8' },
    args: EDITS,
    model: {
      main: [
        {
          reasoning: 'A porcentagem vem de quantityPercent.',
          text: 'Procuro quem decide a porcentagem.',
          calls: [['search', { term: 'quantityPercent' }]],
        },
        { calls: [PATCH] },
        { calls: [['test', {}]] },
        { text: 'O desconto agora usa a maior faixa que cabe. **Os 11 testes passam.**' },
      ],
    },
    play: async ({ say, see, quiet }) => {
      await see('accept-edits');
      await quiet();
      await say('/coder Doze cadernos deveriam ter 10 % de desconto. Descubra por que não e conserte');
      await see('Os 11 testes passam');
      await see('Concluído');
    },
  },
];
