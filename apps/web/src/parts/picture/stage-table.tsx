import type { PictureStage } from '../../model/picture/recording';
import type { PictureState } from '../../model/picture/state';
import { cutWords, timeWords, worksDuring } from './stage-words';

/** The picture as a table, stage by stage. `limit`: number of stages whose outcome may be told. */
export function StageTable(props: {
  title: string;
  stages: readonly PictureStage[];
  stateAt: (t: number) => PictureState;
  limit: number | null;
}) {
  const { title, stages, stateAt, limit } = props;
  return (
    // A region that scrolls has to be reachable by keyboard.
    <div
      className="thin-scroll mt-3 overflow-x-auto"
      tabIndex={0}
      role="group"
      aria-label={`${title} as a table`}
    >
      <table className="w-full text-13" data-shows="picture-table">
        <caption className="sr-only">{title}</caption>
        <thead className="border-b text-left text-12 text-ink-3">
          <tr>
            {['Stage', 'Time', 'Works', 'What changes'].map((head) => (
              <th key={head} scope="col" className="h-7 pr-4 font-normal">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">
          {stages.slice(0, limit ?? stages.length).map((stage, i) => (
            <tr key={i} className="align-top">
              <th scope="row" className="py-1.5 pr-4 text-left font-medium whitespace-nowrap">
                {i + 1} {stage.name}
              </th>
              <td className="num py-1.5 pr-4 text-12 whitespace-nowrap">
                {timeWords(stage, 0)} <span className="text-ink-3">{cutWords(stage)}</span>
              </td>
              <td className="py-1.5 pr-4 text-ink-2">{worksDuring(stage, stateAt)}</td>
              <td className="min-w-60 py-1.5 text-ink-2">{stage.caption}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
