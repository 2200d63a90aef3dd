/**
 * What of a lock file is not in node_modules as it says; `installed` is node_modules/.package-lock.json, which npm writes. What is
 * optional may be missing, as it is for other machines. A link that is none in the lock file was made by a person, and stays.
 */
export function staleDependencies(lock, installed) {
  const here = installed?.packages ?? {};
  return Object.entries(lock.packages).flatMap(([place, wanted]) => {
    if (place === "") return [];
    const found = here[place];
    if (found === undefined) return wanted.optional || wanted.peer ? [] : [place];
    if (found.link && !wanted.link) return [];
    const isSame = found.version === wanted.version && Boolean(found.link) === Boolean(wanted.link);
    return isSame && sameIntegrity(found, wanted) ? [] : [place];
  });
}

function sameIntegrity(found, wanted) {
  return found.integrity === undefined || wanted.integrity === undefined || found.integrity === wanted.integrity;
}
