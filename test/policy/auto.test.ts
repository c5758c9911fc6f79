/** What `auto` agrees to, what it leaves to a person, and what always asks: only the first runs unasked. */
import { describe, expect, it } from 'vitest';
import { judge, rule } from './helpers.js';

const auto = (line: string, rules = [] as ReturnType<typeof rule>[]) => judge(line, rules, { mode: 'auto' });

describe('auto', () => {
  it.each([
    'terraform destroy -auto-approve',
    'tofu apply -auto-approve',
    'terraform -chdir=x destroy',
    'pulumi destroy -y',
    'pulumi up --yes',
    'kubectl delete ns prod',
    'kubectl -n prod delete pod x',
    'oc delete all --all',
    'kubectl drain node-1',
    'kubectl replace --force -f x.yml',
    'kubectl apply --prune -f x',
    'helm uninstall x',
    'aws s3 rm s3://x --recursive',
    'aws --profile p ec2 terminate-instances --instance-ids i-1',
    'aws s3 sync . s3://x --delete',
    'gcloud projects delete x',
    'gcloud compute instances delete x',
    'az group delete -n x',
    'heroku apps:destroy x',
    'gh repo delete x --yes',
    'gh release delete v1',
    'gh pr merge 3',
    'glab repo delete x',
    'npm publish',
    'npm unpublish x',
    'yarn npm publish',
    'pnpm publish',
    'cargo publish',
    'gem push x.gem',
    'twine upload dist/*',
    'python3 -m twine upload dist/x',
    'uv publish',
    'docker push x',
    'docker image push x',
    'docker system prune -af',
    'docker volume rm x',
    'docker compose down -v',
    'docker compose -f x.yml down --volumes',
    'dropdb x',
    "psql -c 'drop table a'",
    "mysql -e 'DROP DATABASE a'",
    'redis-cli flushall',
    'php artisan migrate:fresh',
    'git checkout -- .',
    'git checkout .',
    'git checkout HEAD src/a.js',
    'git checkout README.md',
    'git restore .',
    'git restore --staged --worktree a',
    'git branch -D x',
    'git branch -d -f x',
    'git update-ref -d HEAD',
    'git worktree remove --force x',
    'git stash drop',
    'git stash clear',
    'git reset --hard',
    'git clean -fd',
    'git rm -f a',
    'rm *',
    'rm ./*',
    'rm src/*',
    'rm -rf build',
    'find . -delete',
    'truncate -s 0 a',
    'shred a',
    `perl -e 'unlink glob "*"'`,
    'sh -c "npm publish"',
    'timeout 9 npx twine upload x; cargo publish',
  ])('%s always asks', (line) => {
    const rules = [rule('allow', '@coder exec')];
    expect(auto(line, rules).verdict, auto(line, rules).reason).toBe('immune');
  });

  it.each([
    'git push',
    'git push origin main',
    'scp package.json host:',
    'curl -d @package.json http://x',
    'curl -X POST http://x',
    'curl -F a=@b http://x',
    'wget --post-file=a http://x',
    'nc host 80 < package.json',
    'rsync -a --delete empty/ ./x',
    'rsync -a x host:y',
    'npm i -g x',
    'pip install x',
    'python3 -m pip install x',
    'cargo install x',
    'go install x@latest',
    'brew install x',
    'git config --global user.name x',
    'pkill node',
    'rm -r src',
    'dd if=/dev/zero of=package.json',
    'gh pr create --fill',
    'kubectl apply -f x.yml',
    'terraform apply',
    'helm upgrade a b',
    'ansible-playbook x.yml',
  ])('%s is left to a person, and a rule may allow it', (line) => {
    expect(auto(line).verdict, auto(line).reason).toBe('ask');
    const allowed = auto(line, [rule('allow', '@coder exec')]);
    expect(allowed.verdict, allowed.reason).toBe('allow');
  });

  it.each([
    'npm test',
    'npm run build',
    'npm run publish',
    'npm install x',
    'npm publish --dry-run',
    'cargo build',
    'make',
    'git commit -m x',
    'git add -A',
    'git checkout main',
    'git checkout -b topic origin/main',
    'git restore --staged a.js',
    'git branch -d x',
    'rm a.txt',
    'rm *.log',
    'mkdir -p build',
    'touch a',
    'docker build .',
    'docker compose up -d',
    'docker compose down',
    'terraform plan',
    'terraform fmt',
    'helm lint x',
    'kubectl get pods',
    'curl http://example.com/',
  ])('%s is agreed to', (line) => {
    expect(auto(line).verdict, auto(line).reason).toBe('allow');
  });

  it('says what is true', () => {
    expect(auto('npm test').reason).not.toContain('stays');
    expect(auto('git push').reason).toBe('`git push` changes what others see, to which auto mode does not agree by itself.');
    expect(auto('ls && git push').part).toBe('git push');
  });

  it('asks for nothing that a rule covers', () => {
    expect(auto('make && git push', [rule('allow', '@coder exec git push')]).verdict).toBe('allow');
  });
});

describe('the reason', () => {
  it('names the part that asks, not one that a rule allows', () => {
    const decision = judge('npm test && rm x', [rule('allow', '@coder exec --cmd npm test')]);
    expect(decision).toMatchObject({ verdict: 'ask', part: 'rm x', reason: '`rm` is not known to only read.' });
  });
});
