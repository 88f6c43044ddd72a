import type { ResultSpecs } from '@verbslab/protocol';

export const RESULTS: ResultSpecs = {
  figures: [
    { name: 'messages', label: 'Messages until both QPs may send', text: 'Retransmissions count once.' },
    {
      name: 'cm-total',
      label: 'Connecting by rdma_cm',
      unit: 'µs',
      text: 'From the first call to ESTABLISHED at the client; median over the connections.',
    },
    {
      name: 'hand-total',
      label: 'Connecting by hand over TCP',
      unit: 'µs',
      text: 'From opening the socket until “ready” is written, with ibv_modify_qp at both ends; median.',
    },
    {
      name: 'answer-time',
      label: 'ConnectRequest to ConnectReply',
      unit: 'µs',
      text: 'Median over the connections; so are the next two.',
    },
    { name: 'ready-time', label: 'ConnectReply to ReadyToUse', unit: 'µs' },
    { name: 'end-time', label: 'DisconnectRequest to DisconnectReply', unit: 'µs' },
    {
      name: 'private-room',
      label: 'Private data that the server’s program got',
      unit: 'B',
      text: 'The client passed 12 B.',
    },
    { name: 'bytes', label: 'Bytes of the three messages', unit: 'B', text: 'IP packets, with all headers.' },
    {
      name: 'hand-bytes',
      label: 'Bytes of the three lines by hand',
      unit: 'B',
      text: 'What the programs wrote to the TCP socket, without TCP/IP headers.',
    },
  ],
  tables: [
    {
      name: 'cm-message-times',
      label: 'Messages of a connection by rdma_cm',
      text: 'Captured at the client; medians over the connections, which need not add up.',
      columns: [
        { name: 'message', label: 'Message' },
        { name: 'direction', label: 'Direction' },
        { name: 'since', label: 'After the request', unit: 'µs' },
        { name: 'gap', label: 'After the message before', unit: 'µs' },
        { name: 'min', label: 'Shortest', unit: 'µs' },
        { name: 'max', label: 'Longest', unit: 'µs' },
        { name: 'length', label: 'IP packet', unit: 'B' },
        { name: 'carries', label: 'Carries' },
      ],
    },
    {
      name: 'timeline',
      label: 'Both ways, step by step',
      text: 'Time after the client’s program began; medians, so rows need not add up.',
      columns: [
        { name: 'way', label: 'Way' },
        { name: 'step', label: 'Step' },
        { name: 'seen', label: 'Seen by' },
        { name: 'at', label: 'At', unit: 'µs' },
        { name: 'min', label: 'Earliest', unit: 'µs' },
        { name: 'max', label: 'Latest', unit: 'µs' },
      ],
    },
    {
      name: 'fields',
      label: 'Fields of the first connection’s messages',
      text: 'The offset counts from the IP header. Wireshark’s filter works on the Packets page too.',
      columns: [
        { name: 'message', label: 'Message' },
        { name: 'field', label: 'Field' },
        { name: 'value', label: 'Value' },
        { name: 'offset', label: 'Offset', unit: 'B' },
        { name: 'filter', label: 'Filter' },
      ],
    },
  ],
};
