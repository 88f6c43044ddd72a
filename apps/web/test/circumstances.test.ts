import { LABS } from '@verbslab/labs';
import { PROVIDER_CLASS_TEXT, type RunRecord } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { fieldsOf } from '../src/model/fields';
import { commandOf, placeText } from '../src/model/circumstances';

const fields = fieldsOf(LABS.find(({ description }) => description.id === 'bulk')!.description.params);

describe('the headline of a measuring run', () => {
  const place = (host: string, providerClass: 'user-space' | 'hardware' = 'user-space') => ({
    host,
    providerClass,
  });
  const text = (...places: ReturnType<typeof place>[]) => placeText(places, PROVIDER_CLASS_TEXT, 'local');

  it('says that both ends share one machine and one class of device', () => {
    expect(text(place('local'), place('local'))).toMatch(
      /^Both ends are on one machine\. User-space software:/,
    );
    expect(text(place('far'), place('far', 'user-space'))).toMatch(/^Both ends are on far\./);
  });

  it('says nothing of ends that are apart, differ or are not known', () => {
    expect(text(place('local'), place('far'))).toBeNull();
    expect(text(place('local'), place('local', 'hardware'))).toBeNull();
    expect(text()).toBeNull();
  });

  it('says that two hosts are one machine when their devices have loopback addresses', () => {
    const hosts = [place('local'), place('far')];
    const across = (...gids: string[]) => placeText(hosts, PROVIDER_CLASS_TEXT, 'local', gids);
    expect(across('::ffff:127.0.0.78', '::ffff:127.0.0.79')).toMatch(
      /^The hosts are on one machine: .* no packet left it\. User-space software:/,
    );
    expect(across('::ffff:127.0.0.78', '::ffff:10.0.0.2')).toBeNull();
  });

  it('has the command for the same run, with its places and what is not preset', () => {
    const presets = Object.fromEntries(fields.map(({ name, preset }) => [name, preset!]));
    const command = (parameters: RunRecord['parameters'], server: string) => {
      const ends = { server, client: 'local' };
      const places = Object.entries(ends).map(([role, host]) => ({ role, host, device: 'uroce0' }));
      return commandOf({ lab: 'bulk', parameters }, fields, places, 'local');
    };
    expect(command(presets, 'local')).toBe('npx verbslab run bulk');
    expect(command({ ...presets, repeat: 5, size: 4096 }, 'local')).toBe(
      'npx verbslab run bulk --set size=4096 --set repeat=5',
    );
    expect(command(presets, 'far')).toBe(
      'npx verbslab run bulk --on server=far/uroce0 --on client=local/uroce0',
    );
  });
});
