// A query is its words: `linalg::solve` would else be a field of the search index.
const query = 2;  // the type of such a message in the theme's search
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message, ...rest) {
  if (message.type === query && typeof message.data === "string")
    message = { ...message, data: message.data.replace(/[^\p{L}\p{N}_]+/gu, " ").trim() };
  return post.call(this, message, ...rest);
};
