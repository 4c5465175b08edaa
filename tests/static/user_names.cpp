// User-defined names together with `using namespace tenon`: no conflicts with internal types.

struct Access;
struct Action;
struct Add;
struct Agent;
struct Algebra;
struct Alignment;
struct Arm;
struct Assembly;
struct Attention;
struct Batch;
struct Belief;
struct Bias;
struct Block;
struct Body;
struct Book;
struct Boundary;
struct Buffer;
struct Cache;
struct Camera;
struct Carry;
struct Category;
struct Cell;
struct Checkpoint;
struct Choice;
struct Chunk;
struct Chunks;
struct Clock;
struct Column;
struct Columns;
struct Component;
struct Config;
struct Counter;
struct Dataset;
struct Decoder;
struct Depth;
struct Descriptor;
struct Dialect;
struct Domain;
struct Dot;
struct Draw;
struct Draws;
struct Edge;
struct Elements;
struct Encoder;
struct Entity;
struct Entry;
struct Episode;
struct Event;
struct Exception;
struct Extent;
struct Extents;
struct Factor;
struct Field;
struct Filter;
struct Flow;
struct Force;
struct Frame;
struct Graph;
struct Grid;
struct Group;
struct Handle;
struct Head;
struct Ids;
struct Image;
struct Index;
struct Input;
struct Interval;
struct Item;
struct Job;
struct Joint;
struct Kept;
struct Kernel;
struct Kind;
struct Label;
struct Labels;
struct Layer;
struct Layout;
struct Leaf;
struct Level;
struct Line;
struct Lines;
struct Link;
struct Listing;
struct Literal;
struct Loader;
struct Log;
struct Loss;
struct Map;
struct Mark;
struct Matrix;
struct Max;
struct Mean;
struct Memo;
struct Memory;
struct Mesh;
struct Message;
struct Metadata;
struct Metric;
struct Min;
struct Model;
struct Move;
struct Name;
struct Names;
struct Network;
struct Node;
struct Noise;
struct Normal;
struct Number;
struct Offset;
struct Operand;
struct Optimizer;
struct Option;
struct Options;
struct Orbit;
struct Orbits;
struct Order;
struct Output;
struct Owner;
struct Packed;
struct Packet;
struct Pair;
struct Panel;
struct Parameter;
struct Parser;
struct Particle;
struct Path;
struct Pattern;
struct Payoff;
struct Pixel;
struct Place;
struct Places;
struct Plan;
struct Planet;
struct Planned;
struct Player;
struct Point;
struct Policy;
struct Pool;
struct Portfolio;
struct Pose;
struct Position;
struct Price;
struct Problem;
struct Program;
struct Queue;
struct Quote;
struct Range;
struct Rank;
struct Reach;
struct Reader;
struct Reading;
struct Recipe;
struct Record;
struct Region;
struct Report;
struct Result;
struct Reward;
struct Robot;
struct Rod;
struct Root;
struct Rotation;
struct Row;
struct Rule;
struct Rules;
struct Sample;
struct Scale;
struct Scene;
struct Schedule;
struct Sequence;
struct Shift;
struct Side;
struct Signal;
struct Simulation;
struct Sink;
struct Size;
struct Slice;
struct Slot;
struct Solution;
struct Solver;
struct Sorted;
struct Source;
struct Span;
struct Split;
struct Stack;
struct State;
struct Step;
struct Steps;
struct Storage;
struct Stride;
struct Strides;
struct Sum;
struct Symbol;
struct System;
struct Table;
struct Target;
struct Task;
struct Term;
struct Text;
struct ThreadPool;
struct Tile;
struct Timer;
struct Token;
struct Total;
struct Trade;
struct Transform;
struct Tree;
struct Uniform;
struct Value;
struct Vector;
struct Vertex;
struct Visitor;
struct Weight;
struct Window;
struct Windows;
struct Word;
struct Words;
struct Worker;
struct World;
struct Writer;

#include <tenon/tenon.hpp>

using namespace tenon;

void a_user_writes(Access&, Action&, Add&, Agent&, Algebra&, Alignment&, Arm&, Assembly&,
                   Attention&, Batch&, Belief&, Bias&, Block&, Body&, Book&, Boundary&, Buffer&,
                   Cache&, Camera&, Carry&, Category&, Cell&, Checkpoint&, Choice&, Chunk&, Chunks&,
                   Clock&, Column&, Columns&, Component&, Config&, Counter&, Dataset&, Decoder&,
                   Depth&, Descriptor&, Dialect&, Domain&, Dot&, Draw&, Draws&, Edge&, Elements&,
                   Encoder&, Entity&, Entry&, Episode&, Event&, Exception&, Extent&, Extents&,
                   Factor&, Field&, Filter&, Flow&, Force&, Frame&, Graph&, Grid&, Group&, Handle&,
                   Head&, Ids&, Image&, Index&, Input&, Interval&, Item&, Job&, Joint&, Kept&,
                   Kernel&, Kind&, Label&, Labels&, Layer&, Layout&, Leaf&, Level&, Line&, Lines&,
                   Link&, Listing&, Literal&, Loader&, Log&, Loss&, Map&, Mark&, Matrix&, Max&,
                   Mean&, Memo&, Memory&, Mesh&, Message&, Metadata&, Metric&, Min&, Model&, Move&,
                   Name&, Names&, Network&, Node&, Noise&, Normal&, Number&, Offset&, Operand&,
                   Optimizer&, Option&, Options&, Orbit&, Orbits&, Order&, Output&, Owner&, Packed&,
                   Packet&, Pair&, Panel&, Parameter&, Parser&, Particle&, Path&, Pattern&, Payoff&,
                   Pixel&, Place&, Places&, Plan&, Planet&, Planned&, Player&, Point&, Policy&,
                   Pool&, Portfolio&, Pose&, Position&, Price&, Problem&, Program&, Queue&, Quote&,
                   Range&, Rank&, Reach&, Reader&, Reading&, Recipe&, Record&, Region&, Report&,
                   Result&, Reward&, Robot&, Rod&, Root&, Rotation&, Row&, Rule&, Rules&, Sample&,
                   Scale&, Scene&, Schedule&, Sequence&, Shift&, Side&, Signal&, Simulation&, Sink&,
                   Size&, Slice&, Slot&, Solution&, Solver&, Sorted&, Source&, Span&, Split&,
                   Stack&, State&, Step&, Steps&, Storage&, Stride&, Strides&, Sum&, Symbol&,
                   System&, Table&, Target&, Task&, Term&, Text&, ThreadPool&, Tile&, Timer&,
                   Token&, Total&, Trade&, Transform&, Tree&, Uniform&, Value&, Vector&, Vertex&,
                   Visitor&, Weight&, Window&, Windows&, Word&, Words&, Worker&, World&, Writer&);
