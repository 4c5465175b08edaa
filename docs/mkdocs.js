// A query is its words: `linalg::solve` would else be a field of the search index.
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message, ...rest) {
  if (message.query) message.query = message.query.replace(/[^\p{L}\p{N}_]+/gu, " ").trim();
  return post.call(this, message, ...rest);
};
