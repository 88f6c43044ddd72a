/** Look of a text over lines of a drawing. */
export const HALO = '[paint-order:stroke] stroke-page [stroke-width:4px] [stroke-linejoin:round]';
