/** Commands that read, but depend on a folder, never end, or show what settings hold. */
import { describe, expect, it } from 'vitest';
import { judge } from './helpers.js';

const traits = (npmrc: boolean) => ({ traits: () => ({ npmrc }) });

describe('the folder decides', () => {
  it.each([
    'find vend -name .git -execdir git diff \\;',
    'find . -name package.json -execdir npm ls \\;',
    'find . -okdir git log \\;',
    'find . -execdir command git status \\;',
    'find . -name a.txt -execdir cat notes.txt \\;',
    'fd --base-directory vend -x git diff',
  ])('%s asks', (line) => {
    expect(judge(line, [], traits(false)).verdict).not.toBe('allow');
  });
  it("find -execdir with the file it found only reads, and another folder's private file stays one", () => {
    expect(judge("find src -name '*.ts' -execdir wc -l {} +").verdict).toBe('allow');
    expect(judge('find . -execdir cat ../.env \\;').verdict).toBe('immune');
  });
  it.each([
    'npm ls',
    'npm root',
    'npm prefix',
    'npm explain x',
    'npm query a',
    'npm pkg get name',
    'npm view x',
    'npm --version',
    'npx --version',
  ])('%s asks only where an .npmrc counts', (line) => {
    expect(judge(line, [], traits(true)).verdict).toBe('ask');
    expect(judge(line, [], traits(false)).verdict).toBe('allow');
    expect(judge(`cd sub && ${line}`, [], traits(false)).verdict).toBe('allow');
    expect(judge(`cd /srv/other && ${line}`, [], traits(false)).verdict).not.toBe('allow');
  });
});

describe('what never ends asks', () => {
  it.each([
    'free -s 1',
    'free -hs 1',
    'free --seconds=1',
    'lsof -r 1',
    'lsof +r1',
    'lsof -i -r',
    'findmnt --poll',
    'findmnt -p',
    'sleep infinity',
    'sleep 1d',
    'sleep 10 inf',
    'netstat -tc',
    'ss -tE',
    'watch ls',
    'findmnt -F f',
    'findmnt --tab-file .env',
    'pgrep -F .env',
    'lsblk --sysroot x',
  ])('%s', (line) => {
    expect(judge(line).verdict).not.toBe('allow');
  });
  it.each([
    'free -m',
    'sleep 5',
    'sleep 0.5s',
    'sleep 2m',
    'lsof -i :80',
    'lsof -nP -p 12',
    'findmnt -t ext4',
    'lsblk -f',
    'pgrep -fl node',
    'netstat -an',
    'lsmod',
  ])('%s only reads', (line) => {
    expect(judge(line).verdict).toBe('allow');
  });
});

describe('settings that may hold secrets', () => {
  it.each([
    'docker inspect x',
    'docker container inspect x',
    "docker inspect -f '{{.Config.Env}}' x",
    "docker inspect --format '{{json .}}' x",
    'docker volume inspect x',
    'docker history --no-trunc x',
    'docker top x eww',
    'systemctl show x',
    'systemctl show -p Environment x',
    'kubectl describe pod x',
    'kubectl get pods -o yaml',
    'git config --list',
    'git config -l',
    'git config list',
    'git config --get-regexp http',
    'git config http.extraheader',
    'git config --get-urlmatch http https://x',
    'git var -l',
  ])('%s asks', (line) => {
    expect(judge(line).verdict).toBe('ask');
  });
  it.each([
    "docker inspect --format '{{.State.Status}}' x",
    'docker ps',
    'docker top x',
    'systemctl show -p ActiveState x',
    'systemctl status x',
    'kubectl get pods -o wide',
    'kubectl describe node x',
    'git config user.name',
    'git config --get remote.origin.url',
    'git config --list --name-only',
    'git remote -v',
  ])('%s only reads', (line) => {
    expect(judge(line).verdict).toBe('allow');
  });
});
