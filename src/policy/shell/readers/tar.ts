/** tar and yq: only listing and only printing. */
import { because } from '../../reasons.js';
import { code } from '../code.js';
import { optionSet, scanOptions } from '../options.js';
import { only, possible, type Simple } from '../types.js';
import { no, perhapsFiles, type Reading, reads } from './reader.js';

const LIST_LONG = optionSet(
  '--list --verbose --gzip --bzip2 --xz --zstd --file --numeric-owner --full-time --wildcards --no-recursion',
);

/** `tar tf x`, `tar -tvzf x`, `tar --list --file=x`. A name with a colon would be a remote host. */
export function readTar(simple: Simple): Reading {
  const words = simple.words.slice(1);
  const head = only(words[0]);
  const bundled = head !== undefined && /^[a-zA-Z]+$/.test(head);
  const args = bundled && words[0] ? [{ ...words[0], values: [`-${head}`], prefix: `-${head}` }, ...words.slice(1)] : words;
  const scan = scanOptions(args, { valued: optionSet('-f --file') });
  if (scan.unclear !== undefined) return no(because`an option of \`tar\` may hide in ${scan.unclear}`);
  for (const option of scan.options)
    if (!/^-[tvzjJaf]$/.test(option.name) && !LIST_LONG.has(option.name))
      return no(because`${code(`tar ${option.name}`)} is not known to only list`);
  if (!scan.options.some((option) => option.name === '-t' || option.name === '--list'))
    return no(because`\`tar\` packs or unpacks files`);
  const files = scan.options
    .filter((option) => option.name === '-f' || option.name === '--file')
    .flatMap((option) => option.value ?? []);
  if (files.some((word) => (only(word) ?? ':').includes(':'))) return no(because`\`tar\` may contact another host`);
  return reads(files, false, perhapsFiles(args, [scan], optionSet('')).concat(scan.operands.flatMap((word) => possible(word))));
}

const YQ_FINE = optionSet(
  '-r --raw-output -o --output-format -p --input-format -P --prettyPrint -e --exit-status -N --no-doc -C --colors -M --no-colors -c --compact-output -j --tojson -I --indent -n --null-input -y -Y',
);

/** yq EXPRESSION FILES, of either kind. */
export function readYq(simple: Simple): Reading {
  const scan = scanOptions(simple.words.slice(1), { valued: optionSet('-o --output-format -p --input-format -I --indent') });
  if (scan.unclear !== undefined) return no(because`an option of \`yq\` may hide in ${scan.unclear}`);
  for (const option of scan.options)
    if (!YQ_FINE.has(option.name)) return no(because`${code(`yq ${option.name}`)} is not known to only read`);
  const operands = /^(e|eval|ea|eval-all)$/.test(only(scan.operands[0]) ?? '') ? scan.operands.slice(1) : scan.operands;
  const text = only(operands[0]);
  if (text === undefined || /load|system|eval|env|include|import/.test(text))
    return no(because`the expression of \`yq\` may read other files or run something`);
  // A first word that is a file makes `.` the expression, and options differ between the two programs of this name.
  return reads(operands.slice(1), false, [text, ...perhapsFiles(simple.words.slice(1), [scan], optionSet(''))]);
}
