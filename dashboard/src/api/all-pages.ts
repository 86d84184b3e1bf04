interface Page<Item> {
  result: Item[];
  result_info?: { total_pages: number };
}

// As many as an account or a person may have of anything that comes in pages.
const MOST_PAGES = 50;

/** All items of a list that comes in pages, where a page is too few to choose from. */
export async function allPages<Item>(read: (page: number) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  for (let page = 1; page <= MOST_PAGES; page++) {
    const { result, result_info: info } = await read(page);
    items.push(...result);
    if (info === undefined || page >= info.total_pages) break;
  }
  return items;
}
