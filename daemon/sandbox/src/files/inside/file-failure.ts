import { Failure } from "@muster/schema/wire";

/** What a caller is told of an error of the system at a path; any other error stays what it is. */
export function fileFailure(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || error instanceof Failure || !("code" in error)) return error;
  switch (error.code) {
    case "ENOENT":
      return new Failure("file_not_found", `There is no ${path}`, { path });
    case "ENOTDIR":
      return new Failure("not_a_directory", `A part of ${path} is no directory`, { path });
    case "ELOOP":
      return new Failure("path_outside_roots", `A link was put into ${path}, or its links go round`, { path });
    case "EEXIST":
      return new Failure("file_exists", `There is ${path} already`, { path });
    case "ENOTEMPTY":
      return new Failure("directory_not_empty", `${path} holds something`, { path });
    case "EISDIR":
      return new Failure("not_a_file", `${path} is a directory`, { path });
    case "ENXIO":
    case "ENODEV":
      return new Failure("not_a_file", `${path} is no file`, { path });
    case "EACCES":
    case "EPERM":
    case "ETXTBSY":
    case "EBUSY":
    case "EROFS":
      return new Failure("file_denied", `The system does not allow it at ${path} (${error.code})`, { path });
    case "ENAMETOOLONG":
      return new Failure("invalid_request", `A name in ${path} is longer than this disk takes`, { path });
    case "EINVAL":
      return new Failure("invalid_request", `This cannot be done with ${path}`, { path });
    case "EILSEQ":
      return new Failure("invalid_request", `This disk takes no such name: ${path}`, { path });
    case "EXDEV":
      return new Failure("invalid_request", `${path} is on another disk: copy it and delete the old one`, { path });
    case "ENOSPC":
    case "EDQUOT":
    case "EFBIG":
      return new Failure("disk_full", `The disk takes no more at ${path} (${error.code})`, { path });
  }
  return error;
}
