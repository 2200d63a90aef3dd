# Runs a Homebrew formula without Homebrew: takes its file for this machine, checks it, installs it, and runs its test.
require "digest"
require "fileutils"
require "pathname"
require "tmpdir"
require "open3"

class Formula
  class << self
    attr_reader :facts, :steps
    def inherited(formula)
      formula.instance_variable_set(:@facts, {})
      formula.instance_variable_set(:@steps, {})
      @last = formula
    end
    def last = @last
    %i[desc homepage license].each { |name| define_method(name) { |value| @facts[name] = value } }
    def version(value = nil) = value ? @facts[:version] = value : @facts[:version]
    def url(value) = (@facts[:url] = value if @here != false)
    def sha256(value) = (@facts[:sha256] = value if @here != false)
    def on_macos(&block) = within(false, &block)
    def on_linux(&block) = within(true, &block)
    def on_arm(&block) = within(false, &block)
    def on_intel(&block) = within(true, &block)
    def service(&block) = @steps[:service] = block
    def test(&block) = @steps[:test] = block
    def within(isHere)
      before = @here
      @here = before != false && isHere
      yield
      @here = before
    end
  end

  class Folder < Pathname
    def +(name) = Folder.new(super)
    def /(name) = self + name
    def install(files)
      FileUtils.mkdir_p(self)
      files.each { |from, to| FileUtils.install(from, self + to, mode: 0o755) }
    end
  end

  def initialize(prefix) = @prefix = Folder.new(prefix)
  def bin = @prefix + "bin"
  def opt_bin = @prefix + "opt/bin"
  def var = @prefix + "var"
  def version = self.class.version
  def shell_output(command)
    output, status = Open3.capture2(command)
    raise "#{command} ended with #{status.exitstatus}" unless status.success?
    output
  end
  def assert_match(wanted, text) = (raise "#{wanted} is not in #{text}" unless text.include?(wanted))
  # What a service says: each word must be one that there is.
  def run(words) = @service = words
  def keep_alive(_) = nil
  def log_path(_) = nil
  def error_log_path(_) = nil
  attr_reader :service
end

file, folder, prefix = ARGV
load file
formula = Formula.last
facts = formula.facts
%i[desc homepage version license url sha256].each { |name| raise "There is no #{name}" unless facts[name] }
raise "desc is longer than 80 characters, or begins as a sentence of its own" if facts[:desc].length > 80 || facts[:desc] =~ /^(A|An|The) /
source = File.join(folder, File.basename(facts[:url]))
raise "The checksum is another" unless Digest::SHA256.file(source).hexdigest == facts[:sha256]
Dir.mktmpdir do |work|
  FileUtils.cp(source, work)
  one = formula.new(prefix)
  Dir.chdir(work) { one.install }
  one.instance_eval(&formula.steps[:test])
  one.instance_eval(&formula.steps[:service])
  puts one.service.drop(1).join(" ")
end
