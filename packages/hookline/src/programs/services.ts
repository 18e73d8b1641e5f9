import type { Program, SystemChange } from './program.ts'

type Verbs = NonNullable<Program['verbs']>

/** Verbs that look, then those that destroy, then those that change what others use. */
function listVerbs(
  system: 'database' | 'cloud' | 'cluster',
  { looks = /$^/, destroys, changes }: { looks?: RegExp; destroys: RegExp; changes?: RegExp },
): Verbs {
  const gone: SystemChange = system === 'database' ? 'database drop' : `${system} delete`
  const looking = /^(?:\S+ )?(?:list|ls|show|get|describe|status|info|logs?|help|version|view|history|diff|plan)\b/
  return [
    [looks, null],
    [looking, null],
    [destroys, gone],
    ...(changes ? ([[changes, `${system} change likely`]] as const) : []),
  ]
}

/** Programs of databases, servers and services that people run themselves. */
export const makeServicePrograms = (): Readonly<Record<string, Program>> => ({
  'nodetool cassandra-cli': {
    valued: '-h -p -u -pw --host --port',
    verbs: listVerbs('database', {
      destroys: /\b(?:decommission|removenode|assassinate|clearsnapshot|truncatehints|garbagecollect)\b/,
      changes: /\b(?:drain|stopdaemon|disable\w+|move|rebuild)\b/,
    }),
    examples: { 'nodetool status': '', 'nodetool decommission': 'database drop' },
  },
  'ldapdelete ldapmodify ldapadd ldapmodrdn': {
    dry: '-n',
    verbs: [[/(?:)/, 'database delete-all']],
    examples: { 'ldapdelete -n x': '', 'ldapdelete cn=a': 'database delete-all' },
  },
  'xe esxcli govc': {
    verbs: listVerbs('cloud', {
      destroys: /\b(?:\S+-(?:destroy|uninstall|delete)|destroy|delete|remove)\b/,
      changes: /\b(?:\S+-(?:shutdown|reboot)|shutdown|power)\b/,
    }),
    examples: { 'xe vm-list': '', 'xe vm-uninstall uuid=1 force=true': 'cloud delete' },
  },
  ipmitool: {
    valued: '-H -U -P -I',
    verbs: [
      [/\b(?:status|list|info|show|print)\b/, null],
      [/\b(?:power|chassis|bootdev|user set|mc reset)\b/, 'machine power'],
    ],
    examples: { 'ipmitool power status': '', 'ipmitool power off': 'machine power' },
  },
  'nix-collect-garbage guix': {
    dry: '--dry-run',
    verbs: [
      [/(?:^|\s)(?:-d|--delete-old|gc|--delete-generations)\b/, 'machine uninstall likely'],
      [/^(?:remove|delete-generations)\b/, 'machine uninstall likely'],
    ],
    examples: { 'guix search a': '', 'nix-collect-garbage -d': 'machine uninstall' },
  },
  tmutil: {
    verbs: [
      [/^(?:list|status|latestbackup|destinationinfo|compare)/, null],
      [/^(?:delete|deletelocalsnapshots|disable|removedestination|thinlocalsnapshots|inheritbackup)/, 'machine disk'],
    ],
    examples: { 'tmutil status': '', 'tmutil delete /Volumes/a': 'machine disk' },
  },
  'xdotool ydotool wmctrl cliclick': {
    verbs: [
      [/^(?:search|getactivewindow|getwindow\S*|-l)\b/, null],
      [/^(?:type|key|keydown)\b/, 'machine process likely'],
    ],
    examples: { 'xdotool search a': '', "xdotool type 'rm -rf ~'": 'machine process' },
  },
  'certbot acme.sh lego': {
    options: { script: '--pre-hook --post-hook --deploy-hook --reloadcmd --renew-hook' },
    dry: '--dry-run',
    verbs: [
      [/^certificates\b|--list\b/, null],
      [/^(?:revoke|delete|unregister)\b|--(?:revoke|remove)\b/, 'cloud delete'],
    ],
    examples: { 'certbot certificates': '', 'certbot revoke --cert-name a': 'cloud delete' },
  },
  'wg wg-quick openvpn openconnect vpnc': {
    options: { script: '--up --down --script' },
    verbs: [
      [/^showconf\b|^show \S+ (?:private|preshared)-keys?\b/, 'cloud secret'],
      [/^(?:show|genkey|pubkey|genpsk|--version)\b/, null],
      [/^(?:set|up|down|setconf|syncconf|addconf)\b|--config\b/, 'machine settings likely'],
    ],
    examples: { 'wg show': '', 'wg showconf wg0': 'cloud secret', "openvpn --up 'rm -rf ~/Documents'": 'delete home' },
  },
  'lpadmin cancel lprm postsuper cupsdisable': {
    verbs: [[/(?:^|\s)(?:-a|-x|-d|-|ALL)(?:\s|$)/, 'machine process']],
    examples: { 'lprm 12': '', 'postsuper -d ALL': 'machine process' },
  },
  'pg_ctlcluster pg_rewind': {
    dry: '-n --dry-run',
    verbs: [
      [/\b(?:status)\b/, null],
      [/(?:)/, 'database reset'],
    ],
    examples: { 'pg_ctlcluster 15 main status': '', 'pg_rewind --target-pgdata=data': 'database reset' },
  },
  'xtrabackup mariabackup myloader barman wal-g wal-e pgbackrest': {
    verbs: listVerbs('database', {
      looks: /^(?:check|backup-list|show-\S+|list-\S+)/,
      destroys:
        /\b(?:delete|expire|copy-back|--copy-back|--move-back|restore|backup-fetch|overwrite-tables|--overwrite-tables)\b/,
    }),
    examples: { 'barman list-server': '', 'wal-g delete everything FORCE': 'database drop' },
  },
  'patronictl repmgr stolonctl': {
    valued: '-c -d',
    verbs: listVerbs('database', {
      destroys: /\b(?:remove|reinit|failover|init)\b/,
      changes: /\b(?:switchover|restart|pause|edit-config)\b/,
    }),
    examples: { 'patronictl list': '', 'patronictl reinit main db1': 'database drop' },
  },
  'hdfs hadoop': {
    oneDash: true,
    verbs: [
      [/-(?:ls|cat|du|stat|count|tail|get|test)\b/, null],
      [/-(?:rm|rmr|rmdir|expunge|truncate|deleteSnapshot)\b/, 'cloud delete'],
      [/\bnamenode\b.*-format\b/, 'cloud delete'],
      [/-(?:chmod|chown|setrep|mv|put|copyFromLocal)\b/, 'cloud change likely'],
    ],
    examples: { 'hdfs dfs -ls /': '', 'hdfs dfs -rm -r /data': 'cloud delete' },
  },
  'airflow dagster prefect': {
    verbs: listVerbs('database', {
      destroys:
        /^(?:db (?:reset|clean)|dags delete|tasks clear|pools delete|connections delete|variables delete|run wipe|asset wipe|deployment delete|server database reset)\b/,
    }),
    examples: { 'airflow dags list': '', 'airflow db reset -y': 'database drop' },
  },
  'dvc lakectl mlflow wandb': {
    dry: '--dry --dry-run',
    verbs: listVerbs('cloud', {
      destroys:
        /^(?:gc|destroy|remove|branch delete|repo delete|artifact rm|experiments delete|runs delete|sweep --cancel|fs rm)\b/,
    }),
    examples: { 'dvc pull': '', 'dvc gc --all-commits -f': 'cloud delete' },
  },
  'huggingface-cli hf ollama': {
    verbs: [
      [/^(?:upload|upload-large-folder|push|repo create)\b/, 'registry publish'],
      [/^(?:repo delete|repo-files delete|delete-cache|rm)\b/, 'cloud delete likely'],
    ],
    examples: { 'huggingface-cli download a': '', 'huggingface-cli upload a .': 'registry publish' },
  },
  'btrbk rsnapshot syncoid sanoid': {
    dry: '-n --dry-run --dryrun -t',
    verbs: [
      [/^(?:list|stats|origin|configtest|diff)\b/, null],
      [/^(?:clean|prune|run|snapshot|resume)\b|--(?:force-delete|prune-snapshots)\b/, 'machine disk likely'],
    ],
    examples: { 'btrbk list': '', 'btrbk clean': 'machine disk' },
  },
  'celery rq': {
    valued: '-A -b --app --broker -u',
    verbs: [
      [/\bpurge\b|^empty\b|\bcontrol shutdown\b|\bamqp queue\.(?:purge|delete)\b/, 'database truncate'],
      [/\bmulti (?:kill|stopwait)\b/, 'service stop'],
    ],
    examples: { 'celery -A shop inspect active': '', 'celery -A shop purge -f': 'database truncate' },
  },
  'solr elasticdump curator opensearch-cli typesense': {
    dry: '--dry-run',
    verbs: listVerbs('database', { destroys: /^(?:delete|delete_indices|rollover|indices delete)\b/ }),
    examples: { 'solr status': '', 'solr delete -c core': 'database drop' },
  },
  'wp drush drupal magento typo3 craft': {
    valued: '--path --url',
    verbs: [
      [/^(?:db (?:export|size|check|tables)|core (?:version|verify-checksums)|option get|sql:(?:dump|query))\b/, null],
      [
        /^(?:db (?:reset|drop|clean|import)|site empty|site delete|sql[:-](?:drop|create|sync)|core-cli:|entity:delete|setup:uninstall)\b/,
        'database reset',
      ],
      [/^(?:post|user|comment|plugin|theme) delete\b|^search-replace\b/, 'database delete-some'],
      [/^(?:eval|eval-file|php:eval|ev|shell)\b/, 'database change likely'],
    ],
    examples: { 'wp db size': '', 'wp db reset --yes': 'database reset' },
  },
  'contentful sanity strapi prismic directus': {
    verbs: listVerbs('cloud', {
      destroys:
        /\b(?:delete|destroy|remove|space delete|dataset delete|import --replace|transfer|import|database migrate:down)\b/,
      changes: /\b(?:deploy|graphql deploy|publish)\b/,
    }),
    examples: { 'sanity dataset list': '', 'sanity dataset delete production': 'cloud delete' },
  },
  'shopify mailgun opsgenie auth0-cli clerk': {
    verbs: listVerbs('cloud', {
      destroys: /\b(?:delete|remove|destroy|close-all|deactivate|purge)\b/,
      changes: /\b(?:deploy|push|publish|release|send|create-alert)\b/,
    }),
    examples: { 'shopify theme list': '', 'shopify theme delete -f 1': 'cloud delete' },
  },
  'cap capistrano mina kamal dokku caprover piku gigalixir deta': {
    verbs: [
      [/^(?:logs?|app logs|ps:report|apps:list|config|details|audit|version|-T|doctor:check|help)\b/, null],
      [
        /\b(?:apps:destroy|remove|destroy|delete|deploy:rollback|rollback|ps:stop|app stop|proxy remove|\S+:destroy)\b/,
        'cloud delete',
      ],
      [
        /\b(?:deploy|redeploy|setup|git:sync|config:set|ps:scale|ps:restart|app boot|accessory reboot|release)\b/,
        'cloud change',
      ],
    ],
    examples: { 'kamal app logs': '', 'kamal remove -y': 'cloud delete', 'cap production deploy': 'cloud change' },
  },
  'kubeadm rke clusterctl crossplane tkn k0sctl': {
    dry: '--dry-run',
    verbs: listVerbs('cluster', {
      destroys: /\b(?:reset|remove|delete|uninstall)\b/,
      changes: /\b(?:init|join|upgrade apply|up|apply|move)\b/,
    }),
    examples: { 'kubeadm version': '', 'kubeadm reset -f': 'cluster delete' },
  },
  'databricks snow dbt-cloud fivetran': {
    verbs: listVerbs('cloud', {
      destroys: /\b(?:delete|permanent-delete|drop|destroy|purge|fs rm)\b/,
      changes: /\b(?:bundle deploy|jobs run-now|deploy)\b/,
    }),
    examples: { 'databricks clusters list': '', 'databricks clusters permanent-delete 1': 'cloud delete' },
  },
})
